import { expect, test } from 'vitest';
import { describeResult, describeUse } from './tool-lines.ts';

const options = { cwd: '/home/user/project', ascii: false };
function lines(count: number): string {
  return 'line\n'.repeat(count);
}

test.each([
  ['R000-11 R000-16', 'Bash', 'echo hello', '🔧 echo hello'],
  ['R000-17', 'Read', 'README.md', '📖 Reading README.md'],
  ['R000-18', 'Edit', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['R000-18', 'Write', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['X000-5', 'MultiEdit', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['X000-5', 'NotebookEdit', 'a.ipynb', '✏️ Editing a.ipynb'],
  ['R000-19', 'LS', 'src', '📁 ls src'],
  ['R000-20', 'Search', 'config', '🔍 Searching for: config'],
  ['R000-20', 'Grep', 'config', '🔍 Searching for: config'],
  ['X000-5', 'Glob', '**/*.ts', '🔍 Searching for: **/*.ts'],
  ['R000-21', 'TodoRead', '', '📋 Reading todos'],
  ['R000-22', 'TodoWrite', '', '📝 Updating todos'],
  ['R000-23', 'WebSearch', 'xstate guards', '🔍 Searching: xstate guards'],
  ['R000-24', 'WebFetch', 'https://example.org/a', '🌐 Fetching: https://example.org/a'],
  ['X000-5', 'Task', 'look around', '🤖 Task: look around'],
  ['X000-5', 'mcp__db__query', 'select 1', '🔧 mcp__db__query: select 1'],
  ['X000-5', 'constructor', '', '🔧 constructor'],
])('%s the use of %s %j', (_, tool, content, line) => {
  expect(describeUse({ tool, content }, options)).toBe(line);
});

test.each([
  ['R000-12 R000-16', 'Bash', 'hello\n', 'hello'],
  ['R000-16', 'Bash', lines(15), 'Output: 15 lines'],
  ['X000-4', 'Bash', ' \n', null],
  ['X000-4', 'Bash', 'x'.repeat(59), 'x'.repeat(59)],
  ['X000-4', 'Bash', 'x'.repeat(60), 'Command completed'],
  ['X000-4', 'Bash', '設'.repeat(30), 'Command completed'],
  ['X000-6', 'Bash', '\u001b[32mok\u001b[0m\n', 'ok'],
  ['R000-17', 'Read', lines(50), 'Read 50 lines'],
  ['R000-17', 'Read', '\n\n', 'Read 2 lines'],
  ['R000-18', 'Edit', 'anything', 'File updated'],
  ['X000-5', 'MultiEdit', 'anything', 'File updated'],
  ['X000-5', 'Write', 'anything', 'File written'],
  ['R000-19', 'LS', 'a\nb\n\n', 'Found 2 items'],
  ['R000-20', 'Grep', 'a:1\nb:2\nc:3', 'Found 3 matches'],
  ['R000-20', 'Grep', 'Found 2 files\na\nb', 'Found 2 matches'],
  ['R000-20', 'Glob', 'No files found', 'Found 0 matches'],
  ['R000-21', 'TodoRead', 'one\ntwo', '2 todos'],
  ['R000-22', 'TodoWrite', 'one\ntwo', 'Todos updated'],
  ['R000-23', 'WebSearch', 'many results', null],
  ['R000-24', 'WebFetch', 'a page', null],
  ['X000-5', 'mcp__db__query', '1 row', '1 row'],
  ['X000-5', 'mcp__db__query', 'x'.repeat(80), 'Completed'],
  ['X000-5', 'mcp__db__query', lines(2), 'Completed'],
])('%s the result of %s %j', (_, tool, content, summary) => {
  expect(describeResult({ tool, content })).toBe(summary);
});

test('X000-4 a command over 60 columns is cut after 57, a long one over several lines is one line', () => {
  const command = 'x'.repeat(61);
  expect(describeUse({ tool: 'Bash', content: command }, options)).toBe(`🔧 ${'x'.repeat(57)}...`);
  expect(describeUse({ tool: 'Bash', content: 'x'.repeat(60) }, options)).toBe(`🔧 ${'x'.repeat(60)}`);
  expect(describeUse({ tool: 'Bash', content: 'cat <<E\n a\nE' }, options)).toBe('🔧 cat <<E a E');
});

test.each([
  ['inside', '/home/user/project/src/a.ts', 'src/a.ts'],
  ['the working directory itself', '/home/user/project', '.'],
  ['outside', '/etc/passwd', '/etc/passwd'],
  ['a neighbour with the same beginning', '/home/user/project-2/a', '/home/user/project-2/a'],
  ['a name that begins with dots', '/home/user/project/..a', '..a'],
  ['relative already', './a.ts', './a.ts'],
])('X000-6 a path %s', (_, path, shown) => {
  expect(describeUse({ tool: 'Read', content: path }, options)).toBe(`📖 Reading ${shown}`);
});
