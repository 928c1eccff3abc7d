/** A whole turn on the screen of the installed command: specification 000 from its first line to its last. */
import { stripVTControlCharacters } from 'node:util';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { test, type Place } from '../packed/place.ts';

const agent = { model: 'opus', session_id: 's1' };
const usage = { input: 10, output: 20, cost: 0.0012345 };
const family = '👨‍👩‍👧';

interface Said {
  readonly messages?: readonly object[];
  readonly answer?: string;
  readonly delta_size?: number;
  readonly usage?: object;
  readonly fault?: string;
  readonly code?: string;
}

/** A conversation with a rehearsed lead, at no terminal. */
async function chat(place: Place, turn: Said, ...flags: readonly string[]) {
  const end = turn.fault === undefined ? { answer: 'Done.', usage } : {};
  const turns = [{ when: { work: 'converse' }, ...end, ...turn }];
  place.write('script.yaml', stringify({ agent, turns }));
  const args = ['chat', '--lead', 'rehearsal:script.yaml', ...flags];
  const { code, stdout, stderr } = await place.collab(args, { input: 'Go.\n' });
  return { code, stderr, screen: stdout.replace(/duration_ms=\d+/, 'duration_ms=#') };
}

const bash = (command: string, output?: string) => ({
  tool: { name: 'Bash', input: { command }, ...(output === undefined ? {} : { output }) },
});
const tool = (name: string, input: object, output = 'ok') => ({ tool: { name, input, output } });
const first = '\n🚀 Rehearsal: model=opus, id=s1\n';
const last =
  '\n📊 duration_ms=#, cost_usd=0.001235, input_tokens=10, output_tokens=20, next_session_tokens=30\n';

describe.concurrent('a turn', () => {
  test('R000-2 R000-8 R000-7 begins with the agent, then has its messages and tools in order, and ends with the statistics', async ({
    place,
    expect,
  }) => {
    const messages = [{ text: 'I look.' }, bash('pwd', '/home/user'), bash('true', ''), { text: 'So.' }];
    const { screen } = await chat(place, { messages });
    expect(screen).toBe(`${first}\nI look.\n🔧 pwd\n  → /home/user\n🔧 true\n\nSo.\n\nDone.\n${last}`);
  });

  test('R000-3 R000-10 X000-12.1 its text is printed as it comes, whatever pieces it comes in', async ({
    place,
    expect,
  }) => {
    const answer = 'One **bold** word,\n# a heading\nand `code`.';
    const { screen } = await chat(place, { answer, delta_size: 1 });
    expect(screen).toBe(`${first}\n${answer}\n${last}`);
  });

  test('R000-4 R000-5 R000-11 each tool is a line with its sign and its input, and its result one below', async ({
    place,
    expect,
  }) => {
    const grep = { tool: { name: 'Grep', input: { pattern: 'total' }, output: 'a:1\nb:2\n' } };
    const unknown = { tool: { name: 'Weather', input: { city: 'Tokyo' }, output: 'sunny' } };
    const { screen } = await chat(place, { messages: [grep, unknown] });
    expect(screen).toContain('\n🔍 Searching for: total\n  → Found 2 matches\n');
    expect(screen).toMatch(/\n🔧 Weather: .*Tokyo.*\n {2}→ sunny\n/);
  });

  test('R000-6 X000-9 X000-8.1 a tool that failed has no result line, and what failed is not shown', async ({
    place,
    expect,
  }) => {
    const read = { tool: { name: 'Read', input: { file_path: 'no.txt' }, error: 'File does not exist.' } };
    const { screen, stderr } = await chat(place, { messages: [read, { text: 'It is not there.' }] });
    expect(screen).toBe(`${first}\n📖 Reading no.txt\n\nIt is not there.\n\nDone.\n${last}`);
    expect(stderr).not.toContain('File does not exist.');
  });

  test('R000-1 X000-7 X000-8.2,5 a turn that fails says why on standard error alone, and ends with another code than 0', async ({
    place,
    expect,
  }) => {
    const { code, screen, stderr } = await chat(place, { fault: 'unavailable', code: 'auth' });
    expect(code).not.toBe(0);
    expect(screen).not.toMatch(/auth|no answer/);
    expect(stderr).toContain('no answer: ');
  });

  test('R000-12 X000-4.1-4 a short result is shown, a long line or several are counted, and none has no line', async ({
    place,
    expect,
  }) => {
    const messages = [
      bash('one', `${'x'.repeat(59)}\n`),
      bash('two', 'x'.repeat(60)),
      bash('three', 'a\nb\nc'),
      bash('four', '  \n'),
    ];
    const { screen } = await chat(place, { messages });
    expect(screen).toContain(
      `\n🔧 one\n  → ${'x'.repeat(59)}\n🔧 two\n  → Command completed\n🔧 three\n  → Output: 3 lines\n🔧 four\n\nDone.\n`,
    );
  });

  test('X000-4.5,6 X000-3.3 a long command is cut by its width, and no character is split', async ({
    place,
    expect,
  }) => {
    const messages = [bash('x'.repeat(61)), bash('日'.repeat(40)), bash(family.repeat(40))];
    const { screen } = await chat(place, { messages });
    expect(screen).toContain(
      `\n🔧 ${'x'.repeat(57)}...\n🔧 ${'日'.repeat(28)}...\n🔧 ${family.repeat(28)}...\n`,
    );
  });

  test('X000-5 the tools that the specification gives no words for have those of its public programs', async ({
    place,
    expect,
  }) => {
    const { screen } = await chat(place, {
      messages: [
        tool('Write', { file_path: 'a.ts' }),
        tool('NotebookEdit', { notebook_path: 'a.ipynb' }),
        tool('Task', { description: 'look around' }),
        tool('Glob', { pattern: '*.ts' }, 'a.ts\n'),
        tool('Other', { at: 'home' }, 'y'.repeat(90)),
      ],
    });
    expect(screen).toContain('\n✏️ Editing a.ts\n  → File written\n✏️ Editing a.ipynb\n');
    expect(screen).toContain('\n🤖 Task: look around\n');
    expect(screen).toContain('\n🔍 Searching for: *.ts\n  → Found 1 matches\n');
    expect(screen).toMatch(/\n🔧 Other: .*home.*\n {2}→ Completed\n/);
  });

  test('R000-15 X000-2.1 the statistics are in the order of the specification, with six decimals of the cost', async ({
    place,
    expect,
  }) => {
    const { screen } = await chat(place, { answer: 'Yes.' });
    expect(screen.endsWith(`\nYes.\n${last}`)).toBe(true);
  });

  test('X000-3.4-6 between a tool and the next message is one empty line, whatever lines the model writes', async ({
    place,
    expect,
  }) => {
    const messages = [bash('one', 'a'), { text: '\n\nTwo.\n\n\nThree.\n' }, bash('four', 'b')];
    const { screen } = await chat(place, { messages });
    expect(screen).toContain('🔧 one\n  → a\n\nTwo.\n\n\nThree.\n🔧 four\n  → b\n\nDone.\n');
  });

  test('X000-11 at no terminal there is no escape sign, and --ascii names the tools in words', async ({
    place,
    expect,
  }) => {
    const { screen } = await chat(place, { messages: [bash('pwd', '/home')] });
    expect(stripVTControlCharacters(screen)).toBe(screen);
    const plain = (await chat(place, { messages: [bash('pwd', '/home')] }, '--ascii')).screen;
    expect(plain).toMatch(/\n\[\w+\] pwd\n/);
    expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

test('X000-1 an agent without a model is said to have an unknown one', async ({ place, expect }) => {
  place.write('script.yaml', stringify({ turns: [{ when: { work: 'converse' }, answer: 'Yes.' }] }));
  const { stdout } = await place.collab(['chat', '--lead', 'rehearsal:script.yaml'], { input: 'Go.\n' });
  expect(stdout).toMatch(/^\n🚀 Rehearsal: model=unknown, id=\S+\n/);
});
