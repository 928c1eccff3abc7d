import { expect, test } from 'vitest';
import type { ReviewIssue } from '../answers/answer-types.ts';
import { readIssues } from './read-issues.ts';

function issue(fields: Partial<ReviewIssue>): ReviewIssue {
  return {
    severity: 'important',
    severityInferred: false,
    title: '',
    text: '',
    location: null,
    quote: null,
    remedy: null,
    ...fields,
  };
}

function at(path: string, startLine: number | null = null, endLine: number | null = startLine) {
  return { path, startLine, endLine };
}

function read(text: string): readonly ReviewIssue[] | string {
  const reading = readIssues(text);
  return reading.kind === 'read'
    ? reading.issues
    : reading.malformations.map(({ detail }) => detail).join('; ');
}

const neither = 'it holds neither a list of problems nor the single word None';

test('R001-12.1 X001-3.1 reads the form that is asked for', () => {
  const text = [
    '### Critical',
    '1. **Total is rounded before tax** — `src/checkout/total.ts:41`',
    '   ```',
    '   const total = Math.round(subtotal);',
    '   ```',
    '   Why: cents are lost',
    '   on every order.',
    '   Fix: round once:',
    '   ```ts',
    '   return Math.round(total * tax);',
    '   ```',
    '2. **A removed check** — `src/a.ts:3-5`',
    '   ```',
    '   -if (!user) throw new Error();',
    '   -return user;',
    '   ```',
    '   Why: everyone passes',
    '',
    '### Minor',
    '1. **A name** — `README`',
    '   ~~~',
    '   + one',
    '   +two',
    '   ~~~',
  ].join('\n');
  expect(read(text)).toEqual([
    issue({
      severity: 'critical',
      title: 'Total is rounded before tax',
      location: at('src/checkout/total.ts', 41),
      quote: { text: 'const total = Math.round(subtotal);', side: 'new' },
      text: 'cents are lost\non every order.',
      remedy: 'round once:\n```ts\nreturn Math.round(total * tax);\n```',
    }),
    issue({
      severity: 'critical',
      title: 'A removed check',
      location: at('src/a.ts', 3, 5),
      quote: {
        text: 'if (!user) throw new Error();\nreturn user;',
        side: 'old',
        literal: '-if (!user) throw new Error();\n-return user;',
      },
      text: 'everyone passes',
    }),
    issue({
      severity: 'minor',
      title: 'A name',
      location: at('README'),
      quote: { text: ' one\ntwo', side: 'new', literal: '+ one\n+two' },
    }),
  ]);
});

test('R001-12.1 a fence and labels without the indent of their item belong to it', () => {
  const text =
    '### Important\n1. **Leak** — `a.ts:4`\n```\nopen();\n```\nWhy: never closed\nFix: close it\n\n2. **Other** — `b.ts:5`';
  expect(read(text)).toEqual([
    issue({
      title: 'Leak',
      location: at('a.ts', 4),
      quote: { text: 'open();', side: 'new' },
      text: 'never closed',
      remedy: 'close it',
    }),
    issue({ title: 'Other', location: at('b.ts', 5) }),
  ]);
});

test('X001-3.1,4 reads tables under decorated severity headings', () => {
  const text = [
    '### 🔴 Critical (Must Fix Before Merge)',
    '',
    '| # | Location | Issue | Impact | Fix |',
    '|---|----------|-------|--------|-----|',
    '| 1 | `src/a.ts:41` | Rounds `a \\| b` early | cents lost | round late |',
    '| 2 | `src/b.ts:7-9` | Checks `x | y` | wrong branch | use `x` |',
    '',
    '### 🟡 Important',
    '',
    '| # | Location | Issue | Recommendation |',
    '|---|---|---|---|',
    '| 1 | src/c.ts | No test | add one |',
    '',
    '### 🟢 Minor (Nice to Have)',
    '',
    '| # | Location | Issue | Recommendation |',
    '|---|---|---|---|',
    '| - | - | None | - |',
  ].join('\n');
  expect(read(text)).toEqual([
    issue({
      severity: 'critical',
      title: 'Rounds `a | b` early',
      location: at('src/a.ts', 41),
      text: 'cents lost',
      remedy: 'round late',
    }),
    issue({
      severity: 'critical',
      title: 'Checks `x | y`',
      location: at('src/b.ts', 7, 9),
      text: 'wrong branch',
      remedy: 'use `x`',
    }),
    issue({ title: 'No test', location: at('src/c.ts'), remedy: 'add one' }),
  ]);
});

test('X001-3.4,5 a table may grade its rows and split file and line', () => {
  const text =
    '| Severity | File | Line | Problem | Fix |\n|--|--|--|--|--|\n| **Critical** | `a.ts` | 4 | leak | close |\n| Nit | b.ts | | name | - |';
  expect(read(text)).toEqual([
    issue({ severity: 'critical', title: 'leak', location: at('a.ts', 4), remedy: 'close' }),
    issue({ severityInferred: true, title: 'name', location: at('b.ts') }),
  ]);
});

test.each([
  ['- **Critical**: total is rounded (`a.ts:4`)', 'total is rounded'],
  ['- [Critical] total is rounded — `a.ts:4`', 'total is rounded'],
  ['- **[Critical]** total is rounded in a.ts:4', 'total is rounded'],
  ['- **[Critical] total is rounded** — `a.ts:4`', 'total is rounded'],
  ['- **Critical: total is rounded** (a.ts:4)', 'total is rounded'],
  ['- 🔴 **Critical** — **total is rounded** at `a.ts#L4`', 'total is rounded'],
  ['**Critical**: total is rounded (`a.ts`, line 4)', 'total is rounded'],
  ['[Critical] `a.ts:4`: total is rounded', 'total is rounded'],
  ['Critical: `a.ts:4` - total is rounded', 'total is rounded'],
  ['### [Critical] total is rounded\n\n**Location**: `a.ts:4`', 'total is rounded'],
  ['#### 1. 🔴 Critical: total is rounded (`a.ts:4`)', 'total is rounded'],
  ['### Critical\n#### 1. total is rounded\n- **File**: `a.ts:4`', 'total is rounded'],
  ['**Critical**\n- total is rounded [a.ts:4](https://host/a.ts#L4)', 'total is rounded'],
  ['- **Critical**\n  - **total is rounded** `a.ts:4`', 'total is rounded'],
  ['- Critical:\n  1. `a.ts:4`: total is rounded', 'total is rounded'],
  ['Critical:\n1. total is rounded (a.ts:4)', 'total is rounded'],
  ['### 重大な問題\n- **合計が丸められる**（`a.ts:4`）', '合計が丸められる'],
  ['### 🔴 Critical（マージ前に必須）\n1. **合計が丸められる** — `a.ts:4`', '合計が丸められる'],
  [
    '<details>\n<summary>🔴 Critical (1)</summary>\n\n- **total is rounded** `a.ts:4`\n\n</details>',
    'total is rounded',
  ],
  ['### Critical\n\nThe following matters:\n\n- **total is rounded** `a.ts:4`', 'total is rounded'],
])('R001-12.1 X001-3.1-4 %j is one critical issue', (text, title) => {
  const issues = read(text);
  expect(issues).toContainEqual(issue({ severity: 'critical', title, location: at('a.ts', 4) }));
});

test('R001-12.2 X001-3.5 an issue without a grade is important, and says that this was inferred', () => {
  expect(read('- **Leak** — `a.ts:3`\n- [High] slow loop in `b.ts:4`')).toEqual([
    issue({ severityInferred: true, title: 'Leak', location: at('a.ts', 3) }),
    issue({ severityInferred: true, title: 'slow loop', location: at('b.ts', 4) }),
  ]);
});

test('R001-12.1 an issue heading keeps the lists under it as its details', () => {
  const text =
    '### Critical\n\n#### 1. Leak in `a.ts:3`\n\nThe handle stays open.\n\n- on error\n- on retry\n\n**Fix**: close it\n\n#### 2. Race\n\n- **Where**: `b.ts:4`';
  expect(read(text)).toEqual([
    issue({
      severity: 'critical',
      title: 'Leak',
      location: at('a.ts', 3),
      text: 'The handle stays open.\n\n- on error\n- on retry',
      remedy: 'close it',
    }),
    issue({ severity: 'critical', title: 'Race', location: at('b.ts', 4) }),
  ]);
});

test('R001-12.1 a heading or item that names a file places the issues under it', () => {
  expect(read('### Minor\n#### `src/a.ts`\n- odd name\n- **dead code**')).toEqual([
    issue({ severity: 'minor', title: 'odd name', location: at('src/a.ts') }),
    issue({ severity: 'minor', title: 'dead code', location: at('src/a.ts') }),
  ]);
  expect(read('- `src/a.ts`\n  - [Minor] odd name\n- [Critical] leak')).toEqual([
    issue({ severity: 'minor', title: 'odd name', location: at('src/a.ts') }),
    issue({ severity: 'critical', title: 'leak' }),
  ]);
});

test('X001-3.1 X001-16.1 reads Japanese labels', () => {
  const text =
    '### 重要\n1. **認可がない**\n   - 場所: `src/api.ts:12-14`\n   - 理由：誰でも読める\n   - 修正案：認可を足す';
  expect(read(text)).toEqual([
    issue({
      title: '認可がない',
      location: at('src/api.ts', 12, 14),
      text: '誰でも読める',
      remedy: '認可を足す',
    }),
  ]);
});

test.each([
  'None',
  'none.',
  '- None',
  '**None**',
  '_None._',
  'N/A',
  '-',
  'なし',
  '特になし。',
  '問題は見つかりませんでした。',
  'No issues found.',
  'No issues were found in this change.',
  'No critical, important, or minor issues.',
  '✅ No issues',
  'None\n\n---',
  '<!-- nothing -->\nNone'.replace('\n', '\n\n'),
  '### Critical\nNone\n\n### Important\nNone\n\n### Minor\nNone',
  '### Critical\n- None\n### Important\nNo important issues found.\n### Minor\n特になし',
  '### 🔴 Critical (0)\n### 🟡 Important (0)\n### 🟢 Minor (0)',
  '- **Critical**: None\n- **Important**: None\n- **Minor**: なし',
  '**Critical**: None  \n**Important**: None  \n**Minor**: None',
  '### Critical: None\n### Important: None',
])('X001-3.6 X001-4.2 %j is a recognised none', (text) => {
  expect(read(text)).toEqual([]);
});

test.each([
  ['I could not read the file.', neither],
  ['No major issues.', neither],
  ['No critical issues found.', neither],
  ['None, but I have not seen the tests.', neither],
  ['None\n\nI could not open `b.ts`.', neither],
  ['```\n### Critical\n- leak\n```', neither],
  ['> None', neither],
  ['None\n\n<p>but the cache leaks</p>', neither],
  ['### Critical\nNone\n\nBut the cache leaks.', neither],
  ['### Critical\nNone\n\n### Summary\n\nNot all files could be opened.', neither],
  ['```\nNone\n```', neither],
  ['---\n\n***', neither],
  [
    '### Critical\n\n### Important\n',
    '`Critical` holds neither a problem nor the word None; `Important` holds neither a problem nor the word None',
  ],
  ['### Critical\n\n### Important\nNone', '`Critical` holds neither a problem nor the word None'],
])('X001-3.6 %j is malformed, never clean', (text, detail) => {
  expect(read(text)).toEqual(detail);
});

test('X001-3.6 "None" under one grade does not hide the issues under another', () => {
  expect(read('### Critical\nNone\n### Minor\n- **Typo** in `a.md:2`')).toEqual([
    issue({ severity: 'minor', title: 'Typo', location: at('a.md', 2) }),
  ]);
});

test('X001-3.2 a title that begins with a grade word is no grade', () => {
  expect(read('### Minor\n- Critical section is locked twice')).toEqual([
    issue({ severity: 'minor', title: 'Critical section is locked twice' }),
  ]);
});

test('X001-3.6 a none with details below it is kept as an issue, never lost', () => {
  expect(read('- Critical: None\n  - but `a.ts:3` leaks')).toEqual([
    issue({ severity: 'critical', title: 'None', text: '- but `a.ts:3` leaks', location: at('a.ts', 3) }),
  ]);
});

test('X001-3.3 a graded item below an issue heading is an issue of its own', () => {
  expect(read('### [Critical] Leak in `a.ts:3`\n\n- on error\n- [Minor] odd name in `b.ts:4`')).toEqual([
    issue({ severity: 'critical', title: 'Leak', location: at('a.ts', 3), text: '- on error' }),
    issue({ severity: 'minor', title: 'odd name', location: at('b.ts', 4) }),
  ]);
});

test('R001-12.1 remarks behind a table or under a summary heading are no issues', () => {
  const table = '### Minor\n| Location | Issue |\n|--|--|\n| a.ts:3 | odd name |';
  expect(read(`${table}\n\nThis is all.\n\n### Summary\n\nOne small thing.`)).toEqual([
    issue({ severity: 'minor', title: 'odd name', location: at('a.ts', 3) }),
  ]);
});

test('X001-3.4 the columns of a table may hold a quotation, reasons only, or too few cells', () => {
  const text = [
    '| No. | Grade | Where | Code | Why | Action |',
    '|--|--|--|--|--|--|',
    '| 1 | Critical | `a.ts:3` | `-open(a \\| b)` | leaks | close it |',
    '| 2 | Minor |',
  ].join('\n');
  expect(read(text)).toEqual([
    issue({
      severity: 'critical',
      title: 'leaks',
      location: at('a.ts', 3),
      quote: { text: 'open(a | b)', side: 'old', literal: '-open(a | b)' },
      remedy: 'close it',
    }),
  ]);
});

test('a replacement that was cut off with its answer is not used', () => {
  const item =
    '### Minor\n1. **Title** — `a.ts:1`\n   ```\n   a();\n   ```\n   Replacement:\n   ```\n   b();\n';
  expect(readIssues(`${item}   \`\`\``)).toMatchObject({ issues: [{ replacement: 'b();', remedy: null }] });
  const cut = readIssues(item);
  expect(cut).toMatchObject({ issues: [{ quote: { text: 'a();' }, remedy: '```\nb();' }] });
  expect(JSON.stringify(cut)).not.toContain('replacement');
});
