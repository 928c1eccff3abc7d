/** Questions of a run at a terminal, one that prints lines and nothing else, and one that moves its cursor. */
import { expect, test } from 'vitest';
import { advises } from '../../../test/contract/workflow/workflow-script.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { createPair, writes } from '../rehearsed-pair.test-helper.ts';

const lines = { screen: { movesCursor: false } };
const pairFlags = (agent: string) => ['--lead', agent, '--advisor', agent];

test('a gate is asked until a number is chosen; a revision asks what to change', async () => {
  const { collab, agent } = createPair();
  const terminal = createTerminal(
    [
      ['1-3: ', 'five\n'],
      ['1-3: ', '9\n'],
      ['1-3: ', '2\n'],
      ['What should change?: ', 'Use decimals.\n'],
      ['1-3: ', '1\n'],
    ],
    lines,
  );
  const { code } = await collab(['run', 'one', '--phases', 'design', ...pairFlags(agent)], terminal.how);
  expect(code).toBe(0);
  const shown = terminal.shown();
  expect(shown).toContain(
    'Do you approve?\n  1. approve\n  2. revise: say what to change\n  3. stop\n1-3: 1-3: 1-3: What should change?: ',
  );
  // The prompt asks it, not the text of the gate as well.
  expect(shown.match(/Do you approve\?/g)).toHaveLength(2);
  expect(shown).toContain('phases: design sent back at the gate, design 2 settled');
});

test('stop ends the run', async () => {
  const { collab, agent } = createPair();
  const terminal = createTerminal([['1-3: ', '3\n']], lines);
  const { code } = await collab(['run', 'one', '--phases', 'design', ...pairFlags(agent)], terminal.how);
  expect([code, terminal.shown()]).toEqual([3, expect.stringContaining('stopped')]);
});

test('each open question is asked by itself, and an empty answer leaves it to the lead', async () => {
  const { collab, agent } = createPair();
  const terminal = createTerminal(
    [
      ['1 of 2: Which version? (empty: the lead decides): ', ' The first. \n'],
      ['2 of 2: Who uses it? (empty: the lead decides): ', '\n'],
    ],
    lines,
  );
  await collab(['run', 'one', '--phases', 'requirements', ...pairFlags(agent)], terminal.how);
  const { out } = await collab(['show', '--events']);
  const answer = '1. Which version?\\n   Answer: The first.\\n2. Who uses it?\\n   Answer: decide yourself';
  expect(out).toContain(answer);
});

test('the advisor is answered in several lines with --ask', async () => {
  const asksBack = advises(
    { tag: '[CONSULT:DESIGN]', attempt: 1 },
    '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?\n',
  );
  const { collab, agent, repository } = createPair(asksBack);
  repository.write('brief.md', 'Is it good?\n');
  const terminal = createTerminal(
    [['Your answer; an empty line ends it\n: ', 'In src.\nAnd in test.\n\n']],
    lines,
  );
  const { code } = await collab(
    ['consult', 'design', '--file', 'brief.md', '--ask', '--advisor', agent],
    terminal.how,
  );
  expect([code, terminal.shown()]).toEqual([0, expect.stringContaining('Where is it?')]);
  expect((await collab(['show', '--events'])).out).toContain('In src.\\nAnd in test.');
});

test('a long patch is folded until the person asks for the whole one', async () => {
  const text = Array.from({ length: 80 }, (_, index) => `export const n${index} = ${index};\n`).join('');
  const { collab, agent } = createPair(writes('src/one.js', text));
  const terminal = createTerminal(
    [
      ['3. show the whole patch\n1-3: ', '3\n'],
      ['1-2: ', '1\n'],
    ],
    lines,
  );
  const words = ['run', 'one', '--phases', 'implementation', ...pairFlags(agent)];
  const { code } = await collab(words, terminal.how);
  expect(code).toBe(0);
  const [folded = '', whole = ''] = terminal.shown().split('3. show the whole patch\n');
  expect([folded.includes('n40 = 40'), whole.includes('n40 = 40')]).toEqual([false, true]);
});

test.each([
  ['a number at once', '1', 'approve', 0],
  ['the arrows and Enter', '\u001b[B\u001b[B\r', 'stop', 3],
  ['the arrows, from the first to the last', '\u001b[A\r', 'stop', 3],
])('a terminal that moves its cursor takes %s', async (_what, keys, chosen, exitCode) => {
  const { collab, agent } = createPair();
  const terminal = createTerminal([['1-3 choose, ↑/↓ move, Enter confirms', keys]]);
  const words = ['run', 'one', '--phases', 'design', ...pairFlags(agent)];
  expect((await collab(words, terminal.how)).code).toBe(exitCode);
  expect(terminal.shown()).toContain(
    '│\n◆  Do you approve?\n│  ● 1. approve\n│  ○ 2. revise: say what to change\n│  ○ 3. stop\n',
  );
  expect(terminal.shown()).toContain(`◇  Do you approve?\n│  ${chosen}`);
});
