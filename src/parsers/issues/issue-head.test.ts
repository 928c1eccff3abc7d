import { expect, test } from 'vitest';
import { readIssueHead } from './issue-head.ts';

const place = { path: 'a.ts', startLine: 4, endLine: 4 };

test.each([
  '  **Leak** — `a.ts:4`  ',
  '[x]  **Leak** — `a.ts:4`',
  '[ ] Leak `a.ts:4`',
  '#12.  **Leak** — `a.ts:4`',
  '3) **Leak** - `a.ts:4`',
  '**Leak**  ——  `` a.ts:4 ``',
  '** Leak ** — `a.ts:4`',
  '**Leak:** `a.ts:4`',
  '**Leak** at a.ts:4',
  '__Leak__ (a.ts:4)',
  '🔥 **Leak.** `a.ts:4`',
  '**`a.ts:4`** — Leak',
  '**`a.ts:4`** — **Leak**',
  '`a.ts:4`: Leak',
  '(a.ts:4) Leak',
  'Leak (a.ts:4).',
  'Leak in a.ts:4',
])('R001-12.1 %j is a title and its place', (line) => {
  expect(readIssueHead(line)).toEqual({ title: 'Leak', location: place, rest: '' });
});

test.each([
  ['Leak', 'Leak'],
  ['**Leak:**', 'Leak'],
  ['**Leak： **', 'Leak'],
  ['**ratio 1:2 is wrong**', 'ratio 1:2 is wrong'],
  ['a **bold** word', 'a **bold** word'],
  ['see [x] here', 'see [x] here'],
  ['1)Leak', '1)Leak'],
  ['- Leak -', '- Leak -'],
])('R001-12.1 %j is the title %j and no place', (line, title) => {
  expect(readIssueHead(line)).toEqual({ title, location: null, rest: '' });
});

test.each([
  ['__Leak__: never closed', 'Leak', null, 'never closed'],
  ['**Leak** and **race**', 'Leak', null, 'and **race**'],
  ['**Leak** (`a.ts:4`): never closed', 'Leak', place, 'never closed'],
  ['🔥 **Leak.** It stays open (`a.ts:4`) for ever', 'Leak', place, 'It stays open for ever'],
  ['Leaks. The handle stays open.', 'Leaks.', null, 'The handle stays open.'],
  ['Is it v1.2? Yes', 'Is it v1.2?', null, 'Yes'],
  ['漏れる。閉じない。', '漏れる。', null, '閉じない。'],
])('R001-12.1 %j says something behind its title', (line, title, location, rest) => {
  expect(readIssueHead(line)).toEqual({ title, location, rest });
});

test.each([
  ['The loop (a.ts:4) never ends', 'The loop never ends'],
  ['The loop — a.ts:4 — never ends', 'The loop — never ends'],
  ['The loop in a.ts:4 never ends', 'The loop in a.ts:4 never ends'],
  ['**Leak in `a.ts:4`:**', 'Leak in `a.ts:4`'],
  ['a.ts:4', 'a.ts:4'],
  ['**a.ts:4**', ''],
])('R001-12.1 a place stays where the title needs it: %j', (line, title) => {
  expect(readIssueHead(line)).toEqual({ title, location: place, rest: '' });
});

test('R001-12.1 a place that is the title wins over one in the text', () => {
  expect(readIssueHead('**a.ts:4** — slower than b.ts:9')).toMatchObject({ location: place });
});

test('a line above two thousand characters is text, titled by its beginning', () => {
  const line = `**Leak** in \`a.ts:4\` ${'x'.repeat(2000)}`;
  expect(readIssueHead(line)).toEqual({
    title: `Leak in \`a.ts:4\` ${'x'.repeat(79)}…`,
    location: place,
    rest: line,
  });
  expect(readIssueHead('x'.repeat(2000))).toEqual({ title: 'x'.repeat(2000), location: null, rest: '' });
  expect(readIssueHead('x'.repeat(2001))).toMatchObject({ title: `${'x'.repeat(100)}…` });
});
