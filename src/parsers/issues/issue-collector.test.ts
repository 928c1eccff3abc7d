import { expect, test } from 'vitest';
import { collectIssues, type CollectedIssues } from './issue-collector.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';

function collect(text: string): CollectedIssues {
  const document = parseMarkdown(text);
  return collectIssues(document, [{ start: 1, end: document.lines.length }]);
}

/** `severity title @place | text`, a line each. */
function told(text: string): readonly string[] {
  return collect(text).issues.map(({ severity, severityInferred, title, location, text: body, quote }) =>
    [
      `${severity}${severityInferred ? '?' : ''} ${title}`,
      location === null ? '' : ` @${location.path}:${location.startLine ?? ''}`,
      body === '' ? '' : ` | ${body}`,
      quote === null ? '' : ` "${quote.text}"`,
    ].join(''),
  );
}

function rest(text: string): Omit<CollectedIssues, 'issues'> {
  const { saysNone, unanswered, stray } = collect(text);
  return { saysNone, unanswered, stray };
}

const nothing = { saysNone: false, unanswered: [], stray: false };

test('an empty section has no content at all', () => {
  expect(collect('')).toEqual({ issues: [], ...nothing });
});

test.each([
  ['a list', '- leak\n- race', ['important? leak', 'important? race']],
  ['a group and its list', '### Critical\n- leak\n- race', ['critical leak', 'critical race']],
  ['groups in a paragraph', '**Critical**:\n- leak\n\n**Minor**:\n- name', ['critical leak', 'minor name']],
  ['a group of another scale', '### High\n- leak', ['important? leak']],
  [
    'a group that ends one of a grade',
    '### Critical\n- leak\n### Low\n- name',
    ['critical leak', 'important? name'],
  ],
  [
    'graded headings',
    '### Critical: leak\n\nWhy: a\n\n### Minor: name\n\nWhy: b',
    ['critical leak | a', 'minor name | b'],
  ],
  [
    'a graded heading over titled items',
    '### Critical: must fix\n- **leak**\n- **race**',
    ['critical leak', 'critical race'],
  ],
  [
    'a numbered graded heading over titled items',
    '### 1. Critical: leak\n- **on error**',
    ['critical leak | - **on error**'],
  ],
  [
    'a graded heading with a place over items',
    '### Critical: leak in a.ts:3\n- **on error**',
    ['critical leak @a.ts:3 | - **on error**'],
  ],
  ['a heading over a list', '### Database\n- leak\n- race', ['important? leak', 'important? race']],
  ['a heading over labels', '### Leak\n- Why: never closed', ['important? Leak | never closed']],
  ['a numbered heading over a list', '### 1. Leak\n- on error', ['important? Leak | - on error']],
  [
    'a heading with a place over a list',
    '### Leak in a.ts:3\n- on error',
    ['important? Leak @a.ts:3 | - on error'],
  ],
  ['a heading below a group', '### Critical\n#### Database\n- leak', ['critical leak']],
  [
    'a heading beside a group',
    '### Critical\n- leak\n### Database\n- race',
    ['critical leak', 'important? race'],
  ],
  [
    'a heading above a group',
    '### Critical\n- leak\n## Database\n- race',
    ['critical leak', 'important? race'],
  ],
  ['remarks', '### Critical\n- leak\n### Summary\n\nAll in all.', ['critical leak']],
  ['a list under remarks', '### Critical\n- leak\n### Summary\n- name', ['critical leak', 'important? name']],
  ['graded items', '- **Critical**: leak\n- **Minor**: name', ['critical leak', 'minor name']],
  [
    'nested items of a grade',
    '- Critical:\n  - leak\n  - race\n- Minor:\n  - name',
    ['critical leak', 'critical race', 'minor name'],
  ],
  ['a grade and its text in one item', '- Critical\n  leak everywhere', ['critical leak everywhere']],
  ['a paragraph of a group', '### Critical\n\nleak everywhere', ['critical leak everywhere']],
  [
    'a second paragraph of a group',
    '### Critical\n\nleak everywhere\n\nand more',
    ['critical leak everywhere | and more'],
  ],
  [
    'a titled paragraph with a place',
    '**Leak** in `a.ts:3`\nWhy: b\n\n**Race** in `c.ts:4`',
    ['important? Leak @a.ts:3 | b', 'important? Race @c.ts:4'],
  ],
  [
    'a title with a place inside a paragraph',
    '**Leak** in `a.ts:3`\n**Race** in `c.ts:4`',
    ['important? Leak @a.ts:3 | **Race** in `c.ts:4`'],
  ],
  ['a label before any issue', '### Critical\nWhy: a', []],
  ['a quotation', '- leak\n\n```\nopen();\n```', ['important? leak "open();"']],
  ['a quote', '- leak\n\n> it never ends', ['important? leak | > it never ends']],
  [
    'a table without issues',
    '- leak\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ['important? leak | | a | b |\n|---|---|\n| 1 | 2 |'],
  ],
  [
    'a table with none in one row',
    '| Severity | Issue |\n|---|---|\n| Critical | leak |\n| Minor | None |',
    ['critical leak'],
  ],
  [
    'a table with graded titles',
    '| Issue | Location |\n|---|---|\n| **Critical**: leak | a.ts:3 |',
    ['critical leak @a.ts:3'],
  ],
  ['a table under a group', '### Minor\n\n| Issue |\n|---|\n| name |', ['minor name']],
  ['a file and its items', '- `a.ts`\n  - leak\n- race', ['important? leak @a.ts:', 'important? race']],
  ['a file and its labels', '- `a.ts`\n  - Why: leak', ['important? `a.ts` @a.ts: | leak']],
  [
    'a heading that names a file',
    '### `a.ts`\n- leak\n### Critical\n- race',
    ['important? leak @a.ts:', 'critical race'],
  ],
  [
    'items below an issue heading',
    '### Critical: leak\n- on error\n- [Minor] name',
    ['critical leak | - on error', 'minor name'],
  ],
  [
    'items that begin with a word of the form',
    '- leak\n- Class: Foo is not closed\n- Replacement: the map is replaced twice\n- Class: security',
    [
      'important? leak',
      'important? Class: Foo is not closed',
      'important? Replacement: the map is replaced twice',
    ],
  ],
  ['a label as an item of its own', '- leak\n- Why: never closed', ['important? leak | never closed']],
  [
    'a label as the first item',
    '- Why: never closed\n- leak',
    ['important? Why: never closed', 'important? leak'],
  ],
])('R001-12.1 the issues of %s are separate', (_what, text, issues) => {
  expect(told(text)).toEqual(issues);
});

test.each([
  ['None', { ...nothing, saysNone: true }],
  ['### None', { ...nothing, saysNone: true }],
  ['- None', { ...nothing, saysNone: true }],
  ['### Critical\nNone', { ...nothing, saysNone: true }],
  ['### Critical: None', { ...nothing, saysNone: true }],
  ['### Critical (0)', { ...nothing, saysNone: true }],
  ['- Critical (0)', { ...nothing, saysNone: true }],
  ['Critical: None', { ...nothing, saysNone: true }],
  ['### Critical\nNo critical issues', { ...nothing, saysNone: true }],
  ['No critical issues', { ...nothing, stray: true }],
  ['- Critical: No critical issues', { ...nothing, saysNone: true }],
  ['**Critical**: No critical issues found.', { ...nothing, saysNone: true }],
  ['| Issue |\n|---|\n| None |', { ...nothing, saysNone: true }],
  ['### Critical', { ...nothing, unanswered: ['Critical'] }],
  ['- Critical\n- Minor', { ...nothing, unanswered: ['Critical', 'Minor'] }],
  ['### Critical\n### Minor\nNone', { ...nothing, saysNone: true, unanswered: ['Critical'] }],
  ['### Critical\n- leak', nothing],
  ['### Summary', { ...nothing, stray: true }],
  ['words', { ...nothing, stray: true }],
  ['> words', { ...nothing, stray: true }],
  ['```\nwords\n```', { ...nothing, stray: true }],
  ['| a |\n|---|\n| b |', { ...nothing, stray: true }],
  ['### Critical\nWhy: a', { ...nothing, unanswered: ['Critical'], stray: true }],
  ['### Critical\nNone\n\nwords', { ...nothing, saysNone: true, stray: true }],
  ['- leak\n### Minor\nwords', nothing],
  ['| Issue |\n|---|\n| leak |\n\nwords', { ...nothing, stray: true }],
])('R001-12.1 beside the issues of %j stands this', (text, expected) => {
  expect(rest(text)).toEqual(expected);
});

test('R001-12.1 blocks of one issue are set apart by a blank line', () => {
  expect(
    collect('### Critical: leak\n\nfirst\nsecond\n\nthird\n\n- a\n- b').issues.map(({ text }) => text),
  ).toEqual(['first\nsecond\n\nthird\n\n- a\n- b']);
});

const indents = ['', ' ', '  ', '   ', '    '];
const bullets = ['-', '*', '+', '1.', '•'];

test.each(['1.', '9.', '10.', '-'])(
  'a list under `Why:` of the item %s is no issue, and keeps the `Fix:`',
  (item) => {
    const column = ' '.repeat(item.length + 1);
    const following = item === '-' ? '-' : `${Number.parseInt(item, 10) + 1}.`;
    for (const indent of indents) {
      for (const bullet of bullets) {
        const lines = [
          '### Critical',
          `${item} **Leak** — \`a.ts:3\``,
          `${column}\`\`\``,
          `${column}open();`,
          `${column}\`\`\``,
          `${column}Why:`,
          `${indent}${bullet} on error`,
          `${indent}${bullet} ${/^\d/.test(item) === /^\d/.test(bullet) ? 'on retry' : '**on retry**'}: see \`b.ts:7\``,
          `${column}Fix: close it`,
          `${following} **Race** — \`b.ts:4\``,
          `${column}Why: twice`,
        ];
        const { issues } = collect(lines.join('\n'));
        expect(
          issues.map(({ title, severity, quote, remedy }) => [title, severity, quote?.text, remedy]),
        ).toEqual([
          ['Leak', 'critical', 'open();', 'close it'],
          ['Race', 'critical', undefined, null],
        ]);
        expect(issues[0]?.text).toMatch(/on error\n.*on retry/);
      }
    }
  },
);

test.each([
  [
    'a reason that ends with a colon',
    '1. **Leak** — `a.ts:3`\n\nIt stays open:\n\n- on error\n- on retry',
    1,
  ],
  ['steps of a remedy', '- **Leak** — `a.ts:3`\n  Why: open\n  Fix:\n- close it\n- test it', 1],
  ['items after a finished issue', '- **Leak** — `a.ts:3`\n  Why: open\n- slow loop in `b.ts:4`', 2],
  ['plain items', '- leak:\n- race', 2],
  ['numbers, then bullets', '1. leak\n2. race\n\n- name', 3],
  ['bullets in the requested form', '1. **Leak** — `a.ts:3`\n   Why: open\n\n- **Race** — `b.ts:4`', 2],
  ['a severity', '1. **Leak** — `a.ts:3`\n   Why:\n- **Minor**: name', 2],
])('%s separates the list from its issue', (_what, text, count) => {
  expect(collect(text).issues).toHaveLength(count);
});

test('bold words inside a text open no issue, also with a place', () => {
  expect(told('The **second** branch of `src/a.ts:3` is new.')).toEqual([]);
  expect(told('**The second branch is wrong** `src/a.ts:3`')).toHaveLength(1);
});
