import { expect, test } from 'vitest';
import type { IssueEntry } from './issue-entries.ts';
import { readIssueFields, readLabel, type IssueFields } from './issue-fields.ts';

function fieldsOf(...entries: readonly (string | IssueEntry)[]): IssueFields {
  return readIssueFields(
    entries.map((entry) => (typeof entry === 'string' ? { kind: 'line', text: entry } : entry)),
  );
}

function code(text: string, language: string | null = null): IssueEntry {
  return { kind: 'code', code: text, language, raw: `\`\`\`\n${text}\n\`\`\`` };
}

const nothing: IssueFields = {
  text: '',
  remedy: null,
  location: null,
  severity: null,
  quote: null,
  claim: null,
  replacement: null,
};
const place = { path: 'a.ts', startLine: 4, endLine: 4 };

test('R001-12.1 labelled lines are what they say, the others are the text', () => {
  expect(
    fieldsOf('The handle leaks.', 'Severity: critical', 'Location: `a.ts:4`', 'Fix: close it', 'at the end'),
  ).toEqual({
    ...nothing,
    text: 'The handle leaks.',
    severity: 'critical',
    location: place,
    remedy: 'close it\nat the end',
  });
});

test.each(['Location: a.ts:4', 'Severity: minor', 'Code: `open()`'])(
  'R001-12.1 a line below %j is text again',
  (line) => {
    expect(fieldsOf(line, 'It leaks.').text).toBe('It leaks.');
  },
);

test('R001-12.1 a place may stand below its label, a reason goes on for lines', () => {
  expect(fieldsOf('Location:', 'a.ts:4', 'Why: it leaks', 'for ever')).toEqual({
    ...nothing,
    location: place,
    text: 'it leaks\nfor ever',
  });
});

test('R001-12.1 what stands below an empty label and is no place is text', () => {
  expect(fieldsOf('Location:', 'It leaks.', 'Code:', 'It hangs.')).toEqual({
    ...nothing,
    text: 'It leaks.\nIt hangs.',
  });
});

test('R001-12.1 a place may come in parts', () => {
  expect(fieldsOf('File: a.ts', 'Line: line 4').location).toEqual(place);
});

test.each([
  ['Location: ', null],
  ['Location: Makefile', { path: 'Makefile', startLine: null, endLine: null }],
  ['Location: the parser', { path: 'the parser', startLine: null, endLine: null }],
])('R001-12.1 the place of %j is %j', (line, location) => {
  expect(fieldsOf(line).location).toEqual(location);
});

test.each([
  ['Severity: critical', 'critical'],
  ['Severity: Critical: it is lost', 'critical'],
  ['Severity: who knows', null],
])('X001-3.2 the grade of %j is %j', (line, severity) => {
  expect(fieldsOf(line).severity).toBe(severity);
});

test('R001-12.1 the first code is the quotation, further code belongs to the text', () => {
  expect(fieldsOf('Why: twice', code('open();'), code('close();'))).toEqual({
    ...nothing,
    text: 'twice\n```\nclose();\n```',
    quote: { text: 'open();', side: 'new' },
  });
});

test('R001-12.1 code below a remedy is part of it, and a suggestion is never what the code is', () => {
  expect(fieldsOf('Fix: close it', code('close();'))).toEqual({
    ...nothing,
    remedy: 'close it\n```\nclose();\n```',
  });
  expect(fieldsOf(code('close();', 'suggestion'))).toEqual({ ...nothing, text: '```\nclose();\n```' });
});

test('empty lines around a text are removed, those inside stay', () => {
  expect(fieldsOf('', ' \t', '  It leaks.', '', 'Always.', ' ').text).toBe('  It leaks.\n\nAlways.');
});

test.each([
  ['**Fix**: close', { field: 'remedy', rest: 'close' }],
  ['- __Why it matters:__ lost', { field: 'text', rest: 'lost' }],
  ['修正案：閉じる', { field: 'remedy', rest: '閉じる' }],
  ['Fixed: yes', null],
  ['The fix: close', null],
])('R001-12.1 the label of %j is %j', (line, label) => {
  expect(readLabel(line)).toEqual(label);
});

test('R001-12.1 a quotation may stand on the line of its label; words there are text', () => {
  expect(fieldsOf('Code: `open(path)`', 'Why: it leaks.')).toEqual({
    ...nothing,
    text: 'it leaks.',
    quote: { text: 'open(path)', side: 'new' },
  });
  expect(fieldsOf('Evidence: it opens the file', code('open();'))).toEqual({
    ...nothing,
    text: 'it opens the file',
    quote: { text: 'open();', side: 'new' },
  });
});

test.each([
  [['`open(file);`', 'Why: it leaks'], 'open(file);', 'it leaks'],
  [['', '- `open(file);`', '- `read(file);`', 'It leaks.'], 'open(file);\nread(file);', 'It leaks.'],
  [['> ``a `b` c``', 'It leaks.'], 'a `b` c', 'It leaks.'],
  [['`import a from "./a.ts";`', 'It leaks.'], 'import a from "./a.ts";', 'It leaks.'],
  [['`src/a.ts:4`', 'It leaks.'], undefined, '`src/a.ts:4`\nIt leaks.'],
  [['It leaks in', '`open(file);`'], undefined, 'It leaks in\n`open(file);`'],
  [['Why: `open(file);`'], undefined, '`open(file);`'],
  [['`open(file);` `read(file);`'], undefined, '`open(file);` `read(file);`'],
  [['`open(file);` leaks'], undefined, '`open(file);` leaks'],
])('lines of inline code at the beginning are the quotation: %j', (lines, quote, text) => {
  const fields = fieldsOf(...lines);
  expect([fields.quote?.text, fields.text]).toEqual([quote, text]);
});

test('a fence is quoted rather than inline code', () => {
  expect(fieldsOf('`open(file)` leaks:', '`open(file);`', code('close(file);')).quote?.text).toBe(
    'close(file);',
  );
});

test.each([
  ['Class: security', 'security'],
  ['- **Class:** `data_loss`', 'data_loss'],
  ['Category: Error handling.', 'error_handling'],
  ['分類：Data-Loss', 'data_loss'],
])('%j names the class %j', (line, claim) => {
  expect(fieldsOf(line, 'Why: it leaks')).toEqual({ ...nothing, claim, text: 'it leaks' });
});

test.each([
  'Class: naming',
  'Category: security and tests',
  'Class: Foo is never closed',
  'Class: <one class>',
])('%j names no class of the set and is text', (line) => {
  expect(fieldsOf(line, 'It leaks.')).toEqual({ ...nothing, text: `${line}\nIt leaks.` });
});

test('the only fence below `Replacement:` is the replacement, whatever comes before and after it', () => {
  const read = {
    ...nothing,
    text: 'it leaks\nAlways.',
    remedy: 'close it',
    replacement: 'close();\n\nend();',
  };
  const lines = [
    'Why: it leaks',
    'Fix: close it',
    '**Replacement:**',
    '',
    code('close();\n\nend();', 'ts'),
    'Always.',
  ];
  expect(fieldsOf(code('open();'), ...lines)).toEqual({ ...read, quote: { text: 'open();', side: 'new' } });
  expect(fieldsOf('`open();`', ...lines)).toEqual({ ...read, quote: { text: 'open();', side: 'new' } });
  expect(fieldsOf(...lines)).toEqual(read);
  expect(fieldsOf(...lines, code('open();'))).toEqual({ ...read, quote: { text: 'open();', side: 'new' } });
});

test.each(['', '\n', '  \n '])('a fence with %j below `Replacement:` removes the lines', (text) => {
  expect(fieldsOf(code('open();'), 'Replacement:', code(text)).replacement).toBe('');
});

test.each([
  ['two fences', [code('a();'), code('b();')], '```\na();\n```\n```\nb();\n```'],
  ['a fence that was cut off', [{ ...code('a();'), raw: '```\na();' }], '```\na();'],
  ['a fence with another one inside', [{ ...code('~~~'), raw: '````\n~~~\n```' }], '````\n~~~\n```'],
  ['indented code', [{ ...code('a();'), raw: '    a();' }], '    a();'],
  ['a diff', [code('-a();\n+b();', 'diff')], '```\n-a();\n+b();\n```'],
  [
    'the gap of the form',
    [code('<these copied lines as they should be>')],
    '```\n<these copied lines as they should be>\n```',
  ],
])('%s below `Replacement:` are a part of the remedy', (_what, codes, remedy) => {
  expect(fieldsOf('Fix: so', 'Replacement:', ...codes)).toEqual({ ...nothing, remedy: `so\n${remedy}` });
});

test.each([
  [['Replacement: `close();`'], 'Replacement: `close();`'],
  [['Replacement:', 'use the other one', code('a();')], 'use the other one'],
])('%j has no replacement', (lines, text) => {
  const fields = fieldsOf(...lines);
  expect([fields.replacement, fields.text]).toEqual([null, text]);
});
