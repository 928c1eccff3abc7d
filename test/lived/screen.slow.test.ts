/** What a person sees in the installed `collab chat`: the lines of specification 000 for each tool, and of 004 for commands. */
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Place } from '../packed/place.ts';
import { shared } from '../packed/shared-place.ts';

const place = shared(async (opened: Place) => opened);

interface ShownTool {
  readonly name: string;
  readonly input: object;
  readonly output?: string;
  readonly output_lines?: number;
}

async function shown(tool: ShownTool): Promise<string> {
  place().write(
    'script.yaml',
    stringify({ turns: [{ when: { work: 'converse' }, messages: [{ tool }], answer: 'Done.' }] }),
  );
  const { code, stdout } = await place().collab(['chat', '--lead', 'rehearsal:script.yaml'], {
    input: 'Go.\n',
  });
  expect(code).toBe(0);
  return stdout;
}

test.each<[string, ShownTool, string]>([
  [
    'R000-16.1,2 a command with one line',
    { name: 'Bash', input: { command: 'pwd' }, output: '/home/user' },
    '🔧 pwd\n  → /home/user\n',
  ],
  [
    'R000-16.1,2 a command with one line',
    { name: 'Bash', input: { command: 'pwd' }, output: '/home/user\n' },
    '🔧 pwd\n  → /home/user\n',
  ],
  [
    'R000-16.3 a command with more lines',
    { name: 'Bash', input: { command: 'ls' }, output: 'a\nb\n' },
    '🔧 ls\n  → Output: 2 lines\n',
  ],
  [
    'R000-16.3 a command with more lines',
    { name: 'Bash', input: { command: 'ls' }, output_lines: 15 },
    '🔧 ls\n  → Output: 15 lines\n',
  ],
  [
    'R000-17 a file that is read',
    { name: 'Read', input: { file_path: 'a.ts' }, output_lines: 50 },
    '📖 Reading a.ts\n  → Read 50 lines\n',
  ],
  [
    'R000-18 a file that is edited',
    { name: 'Edit', input: { file_path: 'a.ts' }, output: 'ok' },
    '✏️ Editing a.ts\n  → File updated\n',
  ],
  [
    'R000-19 a folder',
    { name: 'LS', input: { path: 'src' }, output: 'a\nb' },
    '📁 ls src\n  → Found 2 items\n',
  ],
  [
    'R000-20 a search',
    { name: 'Grep', input: { pattern: 'x' }, output: 'a:1\nb:2\nc:3' },
    '🔍 Searching for: x\n  → Found 3 matches\n',
  ],
  [
    'R000-21 a list of tasks that is read',
    { name: 'TodoRead', input: {}, output: 'one\ntwo' },
    '📋 Reading todos\n  → 2 todos\n',
  ],
  [
    'R000-22 a list of tasks that is written',
    { name: 'TodoWrite', input: {}, output: 'one' },
    '📝 Updating todos\n  → Todos updated\n',
  ],
  [
    'R000-23 a search of the web',
    { name: 'WebSearch', input: { query: 'x' }, output: 'much' },
    '🔍 Searching: x\n\nDone.\n',
  ],
  [
    'R000-24 a page of the web',
    { name: 'WebFetch', input: { url: 'https://example.org/a' }, output: 'much' },
    '🌐 Fetching: https://example.org/a\n\nDone.\n',
  ],
])('%s has the lines of the specification', async (_name, tool, lines) => {
  expect(await shown(tool)).toContain(`\n${lines}`);
});
