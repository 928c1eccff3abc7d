import { expect, test } from 'vitest';
import type { Tool, ToolCall } from '../../tools/definition/interfaces.ts';
import { toolOf } from '../../tools/tool.test-helper.ts';
import { sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { approveAtTerminal } from './approve-at-terminal.ts';

const call: ToolCall = { id: 'c', name: 'Bash', args: { command: 'ls' } };
const long: ToolCall = {
  id: 'c',
  name: 'Edit',
  args: { old_string: 'old\n'.repeat(40), new_string: 'new\n'.repeat(40) },
};

async function approve(
  person: Parameters<typeof createTerminal>[0],
  { tool = toolOf('Bash'), asked = call }: { readonly tool?: Tool; readonly asked?: ToolCall } = {},
) {
  const held: unknown[] = [];
  const terminal = createTerminal(person, { screen: { movesCursor: false } });
  const { session } = sessionIn({ root: '/', env: {} }, terminal.how);
  const ask = approveAtTerminal(session, (holding) => {
    held.push(['hold', holding]);
    return () => void held.push('release');
  });
  const approval = await ask(tool, asked, session.signal);
  return { approval, held, shown: terminal.shown() };
}

test('the call is shown, and the terminal is held until there is an answer', async () => {
  const { approval, held, shown } = await approve([['1-3: ', '1\n']]);
  expect(approval).toEqual({ kind: 'once' });
  expect(held).toEqual([['hold', call], 'release']);
  expect(shown).toBe(
    '\nBash\n  command: ls\nAllow Bash?\n  1. yes, once\n  2. yes, always in this conversation\n  3. no, with a reason\n1-3: ',
  );
});

test('a permission for the conversation may be for exactly the same call', async () => {
  const { approval, shown } = await approve([['1-3: ', '2\n']], {
    tool: toolOf('Bash', { scopeOf: () => 'ls' }),
  });
  expect(approval).toEqual({ kind: 'always' });
  expect(shown).toContain('  2. yes, always in this conversation for exactly the same\n');
});

test.each([
  ['Not now.\n', 'Not now.'],
  [' \n', null],
])('the reason %j of a refusal is %j', async (typed, reason) => {
  const { approval, held, shown } = await approve([
    ['1-3: ', '3\n'],
    ['(nothing): ', typed],
  ]);
  expect(approval).toEqual({ kind: 'no', reason });
  expect(held).toHaveLength(2);
  expect(shown).toContain('Why not? The lead gets your reason. (nothing): ');
});

test('a long edit is folded until the user wants to see all of it', async () => {
  const { approval, shown } = await approve(
    [
      ['1-4: ', '4\n'],
      ['1-3: ', '1\n'],
    ],
    { tool: toolOf('Edit'), asked: long },
  );
  expect(approval).toEqual({ kind: 'once' });
  expect(shown).toContain('  4. show all 81 lines\n');
  const [folded = '', whole = ''] = shown.split('Allow Edit?');
  expect(folded.match(/-old/g)?.length).toBeLessThan(40);
  expect(whole.match(/-old/g)).toHaveLength(40);
});
