/** `collab run` through the installed command: bad input, gates without a terminal, records and their use. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { advises, leads, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { addSkill, answer, pair, project, runOf, skillFolder, worktrees } from '../run-project.ts';
import { test } from '../place.ts';

describe.concurrent('an invalid request is refused in one clear line, and nothing is left', () => {
  test.for<[string, readonly string[], number, RegExp]>([
    ['an empty task', [' '], 2, /^collab: the task is empty\n {2}describe the task: /],
    ['no task', [], 2, /^collab: the task is empty\n/],
    ['a task twice', ['a', '--task-file', 'b'], 2, /^collab: the command has two tasks\n/],
    [
      'a task file that is missing',
      ['--task-file', 'b'],
      2,
      /: b\n {2}name a text file with --task-file, or -/,
    ],
    ['an unknown phase', ['a', '--phases', 'desing'], 2, /no phase "desing"\n {2}did you mean design\?/],
    ['a review of nothing', ['a', '--phases', 'review'], 2, /a review needs an implementation/],
    [
      'an unknown skill',
      ['a', '--skill', 'none'],
      2,
      /folder none does not exist\n {2}name a folder with SKILL/,
    ],
    ['an unknown lead', ['a', '--lead', 'nobody'], 2, /there is no provider "nobody"/],
    ['a lead that cannot lead', ['a', '--lead', 'codex'], 2, /codex cannot lead\n {2}.*claude_code/],
    ['no lead at all', ['a', '--lead', 'none'], 2, /a run of phases needs a lead/],
    [
      'rules as the advisor',
      ['a', '--advisor', 'static_review'],
      2,
      /answers no questions\n {2}use --advisor/,
    ],
    [
      'dollars without prices',
      ['a', '--budget-usd', '3'],
      2,
      /rehearsal reports no price[\s\S]*--budget-tokens/,
    ],
    ['nobody to advise', ['a', '--advisor', 'auto'], 4, /Codex is not installed[\s\S]*npm install .*codex/],
    [
      'nobody to lead',
      ['a', '--lead', 'auto'],
      4,
      /no lead is available[\s\S]*claude-code@latest; or name one with --lead/,
    ],
  ])('%s', async ([_what, args, code, says], { place, expect }) => {
    const [, lead = '', , advisor = ''] = pair(place, scriptOf());
    const others = Object.entries({ '--lead': lead, '--advisor': advisor });
    const given = others.flatMap((flag) => (args.includes(flag[0]) ? [] : flag));
    const refused = await place.collab(['run', ...args, ...given]);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toMatch(says);
    expect(place.runs()).toEqual([]);
  });

  test('a faulty skill lists each fault with its position', async ({ place, expect }) => {
    addSkill(place, 'phases:\n  - phase: desing\n    template: design.md\nlimits:\n  consults: many\n');
    const refused = await place.collab(['run', 'a', '--skill', skillFolder, ...pair(place, scriptOf())]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/workflow\.yaml:2:12: .*\(.*design.*\)\n/);
    expect(refused.stderr).toMatch(/workflow\.yaml:5:13: /);
    expect(place.runs()).toEqual([]);
  });
});

describe.concurrent('without a terminal', () => {
  test('each gate ends with 10 and says how to answer; wrong answers lose nothing', async ({
    place,
    expect,
  }) => {
    project(place);
    const asked = await place.collab(['run', 'Write one.', ...pair(place, scriptOf())]);
    const run = runOf(place);
    expect(asked.code).toBe(10);
    expect(asked.stdout).toContain(`${run} asks:\n\n1. Which version?\n2. Who uses it?\n`);
    expect(asked.stdout).toContain('To answer, write the answers as you like');
    expect(asked.stdout).toContain(`  collab answer ${run} --file -\n`);
    const gate = await answer(place, 'Version 2.');
    expect(gate).toMatchObject({ code: 10, stdout: expect.stringContaining('# Do you approve?') });
    expect(gate.stdout).toContain(`To answer, write ${approvals}; then`);
    for (const wrong of ['yes', 'revise', 'revise review: all of it', ' ']) {
      const refused = await answer(place, wrong);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      if (wrong.trim() !== '')
        expect(refused.stderr).toContain(`is not an answer to design/1/gate\n  write ${approvals}`);
    }
    expect((await place.collab(['status'])).stdout).toContain('waiting');
    const again = await answer(place, 'revise: two files');
    expect(again).toMatchObject({ code: 10, stdout: expect.stringContaining('# Do you approve?') });
    const last = await answer(place, 'APPROVE');
    expect(last).toMatchObject({
      code: 10,
      stdout: expect.stringContaining('To answer, write apply or leave; then'),
    });
    expect(last.stdout).toContain('```diff\ndiff --git a/src/one.js b/src/one.js\n');
    expect(last.stdout).toContain(
      `\n+export const one = 1;\n\`\`\`\n\n\`collab apply ${run}\` applies them later as well.\n\nApply these changes`,
    );
    expect(await answer(place, 'approve')).toMatchObject({ code: 2 });
    expect(existsSync(join(place.folder, 'src/one.js'))).toBe(false);
    const ended = await answer(place, 'apply');
    expect(ended.code).toBe(0);
    expect(place.read('src/one.js')).toBe('export const one = 1;\n');
    expect((await place.collab(['check'])).code).toBe(0);
    const { stdout } = await place.collab(['show', '--json']);
    expect(JSON.parse(stdout).workflow.phases).toMatchObject([
      { phase: 'requirements', round: 1 },
      { phase: 'design', round: 1, result: 'sent back at the gate' },
      { phase: 'design', round: 2 },
      { phase: 'implementation' },
      { phase: 'review' },
    ]);
  }, 120_000);

  test('the screen and then the report are on standard output; --report and other formats have only the result', async ({
    place,
    expect,
  }) => {
    project(place);
    const args = ['run', 'Write one.', '--yes', ...pair(place, scriptOf())];
    const told = await place.collab([...args, '--report', 'json=out.json', '--report', 'markdown=out.md']);
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/^\n🚀 Claude Code: [\s\S]*📊 duration_ms=[\s\S]*\nclean — no findings\n/);
    expect(told.stdout).toContain(`next: collab apply ${runOf(place)}`);
    expect(JSON.parse(place.read('out.json'))).toMatchObject({ state: 'ended', outcome: 'clean' });
    expect(place.read('out.md')).toMatch(/^<!-- collab:review -->\n\n# Code review: clean/);
    const json = await place.collab([...args, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'clean', workflow: { applied: 'left' } });
    const markdown = await place.collab([...args, '--format', 'markdown']);
    expect(markdown.stdout).toMatch(/^<!-- collab:review -->\n\n# Code review: clean/);
  }, 60_000);

  test('in the background it is awaited: 10 with the question, and it continues there', async ({
    place,
    expect,
  }) => {
    project(place);
    const begun = await place.collab(['run', 'Write one.', '--detach', ...pair(place, scriptOf())]);
    const run = runOf(place);
    expect(JSON.parse(begun.stdout)).toEqual({ run, next: `collab wait ${run} --timeout 9m` });
    const waited = await place.collab(['wait', run, '--timeout', '1m']);
    expect(waited).toMatchObject({ code: 10, stdout: expect.stringContaining('2. Who uses it?') });
    const input = { input: 'Version 2.' };
    expect((await place.collab(['answer', run, '--file', '-', '--detach'], input)).code).toBe(0);
    expect(await place.collab(['wait', run, '--timeout', '1m'])).toMatchObject({
      code: 10,
      stdout: expect.stringContaining('# Do you approve?'),
    });
    expect(await answer(place, 'stop: too large')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('too large'),
    });
  }, 60_000);
});

describe.concurrent('the user’s own files', () => {
  test('that were changed in the meantime are not overwritten: 3, not_applied', async ({ place, expect }) => {
    project(place);
    const edits = [{ path: 'README.md', content: '# the lead’s\n' }];
    const script = scriptOf(leads({ work: 'implement' }, 'Done.', { edits }));
    const args = ['run', 'Write one.', '--apply', ...pair(place, script)];
    expect((await place.collab(args)).code).toBe(10);
    place.write('README.md', '# mine\n');
    expect((await answer(place, 'Version 2.')).code).toBe(10);
    const ended = await answer(place, 'approve');
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('README.md');
    expect(place.read('README.md')).toBe('# mine\n');
    const { reasons, workflow } = JSON.parse((await place.collab(['show', '--json'])).stdout);
    expect(reasons[0]).toMatch(/^not_applied: /);
    expect(workflow).toMatchObject({ applied: 'refused' });
  }, 60_000);

  test.for<[string, readonly string[]]>([
    ['in a repository without commits', ['init']],
    ['in a folder without git', []],
  ])('get the result %s', async ([_where, init], { place, expect }) => {
    if (init.length > 0) place.git('init', '-q');
    place.write('README.md', '# one\n');
    const ended = await place.collab(['run', 'Write one.', '--yes', '--apply', ...pair(place, scriptOf())]);
    expect(ended.code).toBe(0);
    expect(place.read('src/one.js')).toBe('export const one = 1;\n');
    expect(place.read('README.md')).toBe('# one\n');
    expect((await place.collab(['clean'])).code).toBe(0);
    expect(place.runs()).toEqual([]);
  });

  test('are those of the whole repository, even if it is called in a subfolder', async ({
    place,
    expect,
  }) => {
    project(place);
    place.write('docs/a.md', 'a\n');
    const agents = pair(place, scriptOf()).map((arg) => arg.replace('scripts/', '../scripts/'));
    const cwd = join(place.folder, 'docs');
    expect((await place.collab(['run', 'Write one.', '--yes', '--apply', ...agents], { cwd })).code).toBe(0);
    expect(place.read('src/one.js')).toBe('export const one = 1;\n');
  });
});

describe.concurrent('a user’s own skill', () => {
  test('skips phases, adds its sections, and its templates reach the lead', async ({ place, expect }) => {
    project(place);
    addSkill(place, workflow);
    const first =
      '[RESPONSE:DESIGN]\n\n## ASSESSMENT\n\nSound.\n\n## RISKS\n\nNone\n\n## ALTERNATIVES\n\nNone\n';
    const script = scriptOf(
      leads({ work: 'draft', phase: 'design', contains: 'Draw the data first' }, '[CONSULT:DESIGN]\n\nOne.'),
      { when: { work: 'draft', phase: 'design' }, fault: 'die', repeat: 'forever' },
      advises(
        { tag: '[CONSULT:DESIGN]', contains: 'say who could misuse it' },
        `${first}\n## RECOMMENDATION\n\nDo.\n`,
      ),
      advises({ tag: '[CONSULT:DESIGN]', attempt: 2 }, '[RESPONSE:DESIGN]\n\n## MISUSE\n\nNobody could.\n'),
      advises({ tag: '[REQUEST:REVIEW]' }, reviewed('')),
      advises({ tag: '[REQUEST:REVIEW]', attempt: 2 }, '[RESPONSE:REVIEW]\n\n## SPEED\n\nFast enough.\n'),
    );
    const args = ['run', 'Write one.', '--yes', '--skill', skillFolder, ...pair(place, script)];
    expect(await place.collab(args)).toMatchObject({ code: 0 });
    const events = (await place.collab(['show', '--events'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of('phase.ended').map(({ phase }) => phase)).toEqual(['design', 'implementation', 'review']);
    expect(of('exchange.rejected').map(({ reason, action }) => `${reason} ${action}`)).toEqual([
      'incomplete completing',
      'incomplete completing',
    ]);
    const received = of('exchange.received').map(({ sections }) => [sections.MISUSE, sections.SPEED]);
    expect(received).toEqual([
      ['Nobody could.', undefined],
      [undefined, 'Fast enough.'],
    ]);
  }, 60_000);
});

describe.concurrent('the record of a run of phases', () => {
  test('is shown, checked, applied and cleaned: the worktree and the branch are removed', async ({
    place,
    expect,
  }) => {
    project(place);
    await place.collab(['run', 'Write one.', '--yes', ...pair(place, scriptOf())]);
    const run = runOf(place);
    expect((await place.collab(['status'])).stdout).toMatch(
      /\n {2}state {5}ended\n {2}outcome {3}clean\n {2}run {7}Write one\.\n/,
    );
    const shown = await place.collab(['show']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`next: collab apply ${run}`) });
    const applied = await place.collab(['apply']);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('added    src/one.js') });
    expect((await place.collab(['clean'])).stdout).toBe(`removed ${run} (ended)\n`);
    expect(place.git('branch', '--list', 'collab/*')).toBe('');
    expect(worktrees(place)).toBe(1);
  });

  test('without a driver is canceled for good, and its worktree is removed', async ({ place, expect }) => {
    project(place);
    await place.collab(['run', 'Write one.', ...pair(place, scriptOf())]);
    const run = runOf(place);
    expect(await place.collab(['cancel', run])).toMatchObject({ code: 0, stdout: `${run} is cancelled\n` });
    expect([place.git('branch', '--list', 'collab/*'), worktrees(place)]).toEqual(['', 1]);
    expect(await place.collab(['wait', run])).toMatchObject({ code: 3 });
    expect(await answer(place, 'Version 2.')).toMatchObject({ code: 2 });
    const { stdout } = await place.collab(['show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ended', outcome: 'incomplete', exit_code: 3 });
    expect((await place.collab(['check'])).code).toBe(0);
    expect((await place.collab(['clean'])).stdout).toContain(`removed ${run} (ended)\n`);
    expect(worktrees(place)).toBe(1);
  });

  test('is passed to a consult that continues it', async ({ place, expect }) => {
    project(place);
    const agents = pair(place, scriptOf());
    await place.collab(['run', 'Write one.', '--yes', ...agents]);
    const run = runOf(place);
    const args = ['consult', 'design', '--file', '-', '--run', run, ...agents.slice(2)];
    expect(await place.collab(args, { input: 'And for two?' })).toMatchObject({ code: 0 });
    const { stdout: prompt } = await place.collab(['show', 'latest', '--prompt', '1']);
    expect(prompt).toContain(`### From \`Settled before: phases, run ${run}\``);
    for (const told of ['Write one.', 'It has to be small.', '## DECISION']) expect(prompt).toContain(told);
  });
});

test('inside Claude Code the caller leads through all phases by its answers', async ({ place, expect }) => {
  project(place);
  const env = { CLAUDECODE: '1' };
  const [, , ...advisor] = pair(place, scriptOf());
  const say = async (input: string) => place.collab(['answer', 'latest', '--file', '-'], { input, env });
  const asked = await place.collab(['run', 'Write one.', '--yes', ...advisor], { env });
  expect(asked).toMatchObject({ code: 10, stdout: expect.stringContaining('Write one.') });
  const steps = [
    '[CONSULT:REQUIREMENTS]\n\nWhat is it for?',
    'It is small.',
    '[CONSULT:DESIGN]\n\nOne file.',
  ];
  for (const step of steps) expect((await say(step)).code).toBe(10);
  const implementing = await say('In one file.\n\n## DECISION\n\nTaken.');
  expect(implementing.code).toBe(10);
  const [, folder = ''] =
    /The working folder is (\S+); change files only there/.exec(implementing.stdout) ?? [];
  expect(realpathSync(folder)).not.toBe(place.folder);
  place.write(join('..', folder.slice(join(place.folder, '..').length), 'two.js'), 'export const two = 2;\n');
  const requesting = await say('It is done.');
  expect(requesting.code).toBe(10);
  const ended = await say('[REQUEST:REVIEW]\n\nLook at `two.js`.');
  expect(ended).toMatchObject({ code: 0 });
  expect(place.names()).not.toContain('two.js');
  expect((await place.collab(['apply'], { env })).code).toBe(0);
  expect(readFileSync(join(place.folder, 'two.js'), 'utf8')).toBe('export const two = 2;\n');
  expect((await place.collab(['check'])).code).toBe(0);
}, 60_000);

const approvals = 'approve, revise: <what to change>, revise requirements: <what to change>, or stop';

const workflow = `phases:
  - phase: design
    template: design.md
    sections: [{ name: MISUSE, asks: say who could misuse it }]
  - phase: implementation
    template: implementation.md
  - phase: review
    template: review.md
    sections: [{ name: SPEED, asks: say whether it is fast enough }]
`;

function reviewed(more: string): string {
  return `[RESPONSE:REVIEW]\n\n## STRENGTHS\n\n- Small.\n\n## ISSUES\n\nNone\n\n## SUGGESTIONS\n\nNone\n${more}`;
}
