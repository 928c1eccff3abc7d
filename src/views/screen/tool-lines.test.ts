import { expect, test } from 'vitest';
import { describeResult, describeUse } from './tool-lines.ts';

const options = { cwd: '/home/user/project', ascii: false };
function lines(count: number): string {
  return 'line\n'.repeat(count);
}

test.each([
  ['R000-11 R000-16.1 the use of Bash', 'Bash', 'echo hello', '🔧 echo hello'],
  ['R000-17.1 the use of Read', 'Read', 'README.md', '📖 Reading README.md'],
  ['R000-18.1 X000-5.2 the use of Edit', 'Edit', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['R000-18.1 X000-5.2 the use of Write', 'Write', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['X000-5.2 the use of MultiEdit', 'MultiEdit', 'src/a.ts', '✏️ Editing src/a.ts'],
  ['X000-5.2 the use of NotebookEdit', 'NotebookEdit', 'a.ipynb', '✏️ Editing a.ipynb'],
  ['R000-19.1 X000-5.1 the use of LS', 'LS', 'src', '📁 ls src'],
  ['R000-20.1 the use of Search', 'Search', 'config', '🔍 Searching for: config'],
  ['R000-20.1 the use of Grep', 'Grep', 'config', '🔍 Searching for: config'],
  ['X000-5.9 the use of Glob', 'Glob', '**/*.ts', '🔍 Searching for: **/*.ts'],
  ['R000-21.1 the use of TodoRead', 'TodoRead', '', '📋 Reading todos'],
  ['R000-22.1 the use of TodoWrite', 'TodoWrite', '', '📝 Updating todos'],
  ['R000-23 X000-5.6 the use of WebSearch', 'WebSearch', 'xstate guards', '🔍 Searching: xstate guards'],
  [
    'R000-24 X000-5.7 the use of WebFetch',
    'WebFetch',
    'https://example.org/a',
    '🌐 Fetching: https://example.org/a',
  ],
  ['X000-5.8 the use of Task', 'Task', 'look around', '🤖 Task: look around'],
  ['X000-5.10 the use of mcp__db__query', 'mcp__db__query', 'select 1', '🔧 mcp__db__query: select 1'],
  ['X000-5.10 the use of constructor', 'constructor', '', '🔧 constructor'],
])('%s is its own line: %s %j', (_, tool, content, line) => {
  expect(describeUse({ tool, content }, options)).toBe(line);
});

test.each([
  ['R000-12 R000-16.2 the result of Bash', 'Bash', 'hello\n', 'hello'],
  ['R000-16.3 X000-4.3 the result of Bash', 'Bash', lines(15), 'Output: 15 lines'],
  ['X000-4.4 the result of Bash', 'Bash', ' \n', null],
  ['X000-4.1 the result of Bash', 'Bash', 'x'.repeat(59), 'x'.repeat(59)],
  ['X000-4.2 the result of Bash', 'Bash', 'x'.repeat(60), 'Command completed'],
  ['X000-4.2,6 the result of Bash', 'Bash', '設'.repeat(30), 'Command completed'],
  ['X000-6.2 the result of Bash', 'Bash', '\u001b[32mok\u001b[0m\n', 'ok'],
  ['R000-17.2 the result of Read', 'Read', lines(50), 'Read 50 lines'],
  ['R000-17.2 the result of Read', 'Read', '\n\n', 'Read 2 lines'],
  ['R000-18.2 X000-5.3 the result of Edit', 'Edit', 'anything', 'File updated'],
  ['X000-5.3 the result of MultiEdit', 'MultiEdit', 'anything', 'File updated'],
  ['R000-18.2 X000-5.3 the result of Write', 'Write', 'anything', 'File written'],
  ['R000-19.2 X000-5.1 the result of LS', 'LS', 'a\nb\n\n', 'Found 2 items'],
  ['R000-20.2 the result of Grep', 'Grep', 'a:1\nb:2\nc:3', 'Found 3 matches'],
  ['R000-20.2 the result of Grep', 'Grep', 'Found 2 files\na\nb', 'Found 2 matches'],
  ['X000-5.9 the result of Glob', 'Glob', 'No files found', 'Found 0 matches'],
  ['R000-21.2 X000-5.4 the result of TodoRead', 'TodoRead', 'one\ntwo', '2 todos'],
  ['R000-22.2 X000-5.5 the result of TodoWrite', 'TodoWrite', 'one\ntwo', 'Todos updated'],
  ['R000-23 the result of WebSearch', 'WebSearch', 'many results', null],
  ['R000-24 the result of WebFetch', 'WebFetch', 'a page', null],
  ['X000-5.10 the result of mcp__db__query', 'mcp__db__query', '1 row', '1 row'],
  ['X000-5.10 the result of mcp__db__query', 'mcp__db__query', 'x'.repeat(80), 'Completed'],
  ['X000-5.10 the result of mcp__db__query', 'mcp__db__query', lines(2), 'Completed'],
])('%s is summed up: %s %j', (_, tool, content, summary) => {
  expect(describeResult({ tool, content })).toBe(summary);
});

test('X000-4.5 a command over 60 columns is cut after 57, a long one over several lines is one line', () => {
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
])('X000-6.1 a path %s', (_, path, shown) => {
  expect(describeUse({ tool: 'Read', content: path }, options)).toBe(`📖 Reading ${shown}`);
});
