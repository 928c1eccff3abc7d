/** `--ask` at a terminal that `script` of util-linux makes: the person there gets the advisor's question. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import { pair, project } from '../run-project.ts';
import { until } from '../started-command.ts';

const script = '/usr/bin/script';
const turns = [
  { answer: '[CONSULT:CLAUDE:VERIFICATION]\n\nIntegers of `Money`?\n' },
  { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' },
  {
    answer:
      '[RESPONSE:DESIGN]\n\n## ASSESSMENT\n`Money` is sound.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n',
  },
];

describe.skipIf(process.platform !== 'linux' || !existsSync(script))('at a terminal', () => {
  test('a person answers both kinds of questions, and the consult settles', async ({ place, expect }) => {
    const terminal = ask(place);
    await until('the verdict', () => terminal.seen().includes('Your verdict'));
    terminal.type('\r');
    await until('the reason', () => terminal.seen().includes('The reason'));
    terminal.type('It holds.\r');
    await until('the context', () => terminal.seen().includes('Your answer'));
    terminal.type('All of them.\r\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen()).toMatch(/Assessment\s+Money is sound\./);
    const { stdout } = await place.collab(['show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'settled',
      asked_back: [
        { by: 'user', answer: '## VERDICT\n\napprove\n\n## REASON\n\nIt holds.' },
        { by: 'user', answer: '## CONTEXT\n\nAll of them.' },
      ],
    });
  });

  test('the gates of a run are asked one by one: each clarification, the approach, the apply', async ({
    place,
    expect,
  }) => {
    project(place);
    const terminal = atTerminal(place, `run one ${pair(place, scriptOf()).join(' ')}`);
    await until('the first question', () => terminal.seen().includes('1 of 2: Which version?'));
    terminal.type('Two.\r');
    await until('the second question', () => terminal.seen().includes('2 of 2: Who uses it?'));
    terminal.type('\r');
    await until('the approach', () => terminal.seen().includes('Do you approve?'));
    expect(terminal.seen().split('Do you approve?')).toHaveLength(2);
    terminal.type('\r');
    await until('the apply', () => terminal.seen().includes('Apply these changes to your own'));
    expect(place.names()).not.toContain('src');
    expect(terminal.seen()).toContain('+export const one = 1;');
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(place.read('src/one.js')).toBe('export const one = 1;\n');
    const { stdout } = await place.collab(['show', '--events']);
    const said = recordsIn(stdout).filter(({ type }) => type === 'question.answered');
    expect(said).toMatchObject([
      {
        by: 'user',
        value: '1. Which version?\n   Answer: Two.\n2. Who uses it?\n   Answer: decide yourself',
      },
      { by: 'user', value: 'approve' },
      { by: 'user', value: 'apply' },
    ]);
  }, 60_000);

  test('Ctrl-C at the question interrupts the run, which can be answered later', async ({
    place,
    expect,
  }) => {
    const terminal = ask(place);
    await until('the verdict', () => terminal.seen().includes('Your verdict'));
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(await place.collab(['wait'])).toMatchObject({ code: 10 });
    const answered = await place.collab(['answer', 'latest', '--file', '-'], {
      input: '## VERDICT\nreject\n## REASON\nNo.',
    });
    expect(answered).toMatchObject({
      code: 10,
      stdout: expect.stringContaining('Which currencies are there?'),
    });
  });
});

interface Terminal {
  readonly seen: () => string;
  readonly type: (keys: string) => void;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

function ask(place: Place): Terminal {
  place.write('script.yaml', stringify({ agent: { name: 'Codex' }, turns }));
  place.write('brief.md', 'Is `Money` sound?');
  return atTerminal(place, 'consult design --file brief.md --advisor rehearsal:script.yaml --ask');
}

function atTerminal(place: Place, args: string): Terminal {
  const command = `stty cols 80; exec '${process.execPath}' '${place.command}' ${args}`;
  const env = { ...place.environment, PATH: '/usr/bin:/bin', TERM: 'xterm' };
  const child = spawn(script, ['-qec', command, '/dev/null'], { cwd: place.folder, env });
  let seen = '';
  child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  return {
    seen: () => stripVTControlCharacters(seen),
    type: (keys) => void child.stdin.write(keys),
    ended: new Promise((resolve) => {
      child.on('exit', resolve);
    }),
  };
}
