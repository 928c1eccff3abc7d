import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { readQuote } from '../../parsers/issues/issue-quote.ts';
import { makeVisible } from '../../text/neutralise.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import { placeInWhole, placeIssue, searchedIssue, type FindingPlace } from './anchors.ts';

const { files } = parseUnifiedDiff(
  [
    'diff --git a/src/checkout/total.ts b/src/checkout/total.ts',
    '--- a/src/checkout/total.ts',
    '+++ b/src/checkout/total.ts',
    '@@ -10,8 +10,9 @@ function total() {',
    ' function total(items) {',
    '-  const sum = items.length;',
    '+  const sum = add(items);',
    "+  log('sum', sum);",
    '   return round(sum);',
    ' }',
    ' ',
    ' function tax() {',
    '   return round(sum);',
    ' }',
    '@@ -40,2 +41,4 @@',
    ' // end',
    '+  const sum = add(items);',
    '+',
    '+  return sum;',
    ' export {};',
    'diff --git a/lib/old-name.ts b/lib/new-name.ts',
    'rename from lib/old-name.ts',
    'rename to lib/new-name.ts',
    '--- a/lib/old-name.ts',
    '+++ b/lib/new-name.ts',
    '@@ -1,2 +1,2 @@',
    '-export const limit = 10;',
    '+export const limit = 11;',
    ' shared();\r',
    'diff --git a/gone/total.ts b/gone/total.ts',
    'deleted file mode 100644',
    '--- a/gone/total.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-removeMe();',
    '-shared();',
    '',
  ].join('\n'),
);

interface Claim {
  readonly path?: string | null;
  readonly line?: number | null;
  readonly quote?: string | null;
  readonly side?: 'new' | 'old';
}

function issue({
  path = 'src/checkout/total.ts',
  line = null,
  quote = null,
  side = 'new',
}: Claim): ReviewIssue {
  return {
    severity: 'important',
    severityInferred: false,
    title: 'title',
    text: 'text',
    location: path === null ? null : { path, startLine: line, endLine: line },
    quote: quote === null ? null : { text: quote, side },
    remedy: null,
  };
}

function place(claim: Claim): FindingPlace {
  return placeIssue(issue(claim), files);
}

/** `path side start-end placement ordinal` */
function where(claim: Claim): string {
  const { path, side, startLine, endLine, placement, ordinal } = place(claim);
  return `${path} ${side} ${startLine}-${endLine} ${placement} ${ordinal}`;
}

const total = 'src/checkout/total.ts';

test('an added line is found exactly, and the claimed line is not trusted', () => {
  expect(place({ quote: "  log('sum', sum);", line: 999 })).toEqual({
    path: total,
    side: 'new',
    startLine: 12,
    endLine: 12,
    placement: 'exact',
    quote: "  log('sum', sum);",
    ordinal: 1,
    anchor: { line: "log('sum', sum);", symbol: 'total', ordinal: 1 },
  });
});

test('consecutive lines are found together, blank ones included', () => {
  expect(where({ quote: '  const sum = add(items);\n\n  return sum;' })).toBe(`${total} new 42-44 exact 1`);
  expect(where({ quote: "\n  const sum = add(items);\n  log('sum', sum);\n\n" })).toBe(
    `${total} new 11-12 exact 1`,
  );
  expect(where({ quote: '  const sum = add(items);\n  return sum;' })).toBe(`${total} new 42-44 loose 1`);
  expect(place({ quote: 'const sum = add(items);\nreturn sum;' }).quote).toBe(
    '  const sum = add(items);\n\n  return sum;',
  );
  expect(where({ quote: "  log('sum', sum);\n  const sum = add(items);" })).toBe(
    `${total} null null-null unplaced 0`,
  );
});

test('lines of two hunks are not consecutive', () => {
  expect(where({ quote: '}\n// end' })).toBe(`${total} null null-null unplaced 0`);
});

test('the claimed line chooses between equal lines; without it the first one is chosen', () => {
  expect(where({ quote: '  const sum = add(items);' })).toBe(`${total} new 11-11 exact 1`);
  expect(where({ quote: '  const sum = add(items);', line: 13 })).toBe(`${total} new 11-11 exact 1`);
  expect(where({ quote: '  const sum = add(items);', line: 40 })).toBe(`${total} new 42-42 exact 2`);
  expect(where({ quote: '  return round(sum);', line: 17 })).toBe(`${total} new 17-17 exact 2`);
  expect(where({ quote: '  return round(sum);', line: 1 })).toBe(`${total} new 13-13 exact 1`);
});

test('a line within a longer match has distance zero', () => {
  expect(where({ quote: '  return round(sum);\n}', line: 14 })).toBe(`${total} new 13-14 exact 1`);
  expect(where({ quote: '  return round(sum);\n}', line: 16 })).toBe(`${total} new 17-18 exact 2`);
  expect(where({ quote: '  return round(sum);\n}', line: 18 })).toBe(`${total} new 17-18 exact 2`);
});

test('the nearest of several matches has the fewest lines in between', () => {
  const lines = ['+a();', '+b();', '+c();', '+x();', '+y();', '+z();', '+w();', '+a();', '+b();', '+c();'];
  const change = parseUnifiedDiff(`--- a/f\n+++ b/f\n@@ -0,0 +1,10 @@\n${lines.join('\n')}\n`).files;
  const startFor = (line: number) =>
    placeIssue(issue({ path: 'f', line, quote: 'a();\nb();\nc();' }), change).startLine;
  expect([1, 2, 3, 5, 6, 8, 9, 10, 99].map(startFor)).toEqual([1, 1, 1, 1, 8, 8, 8, 8, 8]);
});

test('one added line among context makes a match an added one', () => {
  const change = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a();\n b();\n a();\n+b();\n').files;
  expect(placeIssue(issue({ path: 'f', line: 2, quote: 'a();\nb();' }), change)).toMatchObject({
    startLine: 3,
    endLine: 4,
    ordinal: 2,
  });
});

test('carriage returns hide neither a line nor its equals', () => {
  const change = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -0,0 +1,3 @@\n+same();\r\n+x\r\n+same();\r\n').files;
  expect(placeIssue(issue({ path: 'f', line: 3, quote: 'same();\r' }), change)).toMatchObject({
    startLine: 3,
    placement: 'exact',
    quote: 'same();\r',
    ordinal: 2,
  });
  expect(placeIssue(issue({ path: 'f', quote: 'same();\n\nx' }), change)).toMatchObject({
    startLine: 1,
    endLine: 2,
    placement: 'loose',
  });
});

test('an added line is preferred to an equal context line, unless the claimed line is exactly that one', () => {
  const both = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n same();\n x\n+same();\n').files;
  for (const line of [null, 2, 3]) {
    expect(placeIssue(issue({ path: 'f', line, quote: 'same();' }), both)).toMatchObject({
      startLine: 3,
      ordinal: 2,
    });
  }
  expect(placeIssue(issue({ path: 'f', line: 1, quote: 'same();' }), both)).toMatchObject({
    startLine: 1,
    ordinal: 1,
  });
});

test('blank lines around a quotation belong to its place if the file has them, and change no identity', () => {
  const blanks = parseUnifiedDiff(
    '--- a/f\n+++ b/f\n@@ -1,3 +1,7 @@\n a();\n \n+b();\n+\n+  \n+b();\n c();\n',
  ).files;
  const at = (line: number, quote: string) => {
    const { startLine, endLine, ordinal } = placeIssue(issue({ path: 'f', line, quote }), blanks);
    return [startLine, endLine, ordinal];
  };
  expect(at(3, 'b();')).toEqual([3, 3, 1]);
  expect(at(2, '\nb();\n')).toEqual([2, 4, 1]);
  expect(at(4, '\n\nb();')).toEqual([4, 6, 2]);
  expect(at(6, '\n\n\nb();\n')).toEqual([4, 6, 2]);
});

test('a line of three dots is code if the file has it', () => {
  const stub = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -0,0 +1,3 @@\n+def f():\n+    ...\n+x\n').files;
  const at = (quote: string) => placeIssue(issue({ path: 'f', quote }), stub);
  expect(at('def f():\n    ...')).toMatchObject({ startLine: 1, endLine: 2, placement: 'exact' });
  expect(at('def f():\n    ...\n    return 1')).toMatchObject({
    startLine: 1,
    endLine: 1,
    placement: 'exact',
  });
});

test('exact context is preferred to a loosely equal added line', () => {
  const both = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n same();\n+same() ;\n').files;
  expect(placeIssue(issue({ path: 'f', quote: 'same();' }), both)).toMatchObject({
    startLine: 1,
    placement: 'exact',
  });
  expect(placeIssue(issue({ path: 'f', quote: ' same()' }), both)).toMatchObject({
    startLine: 2,
    placement: 'loose',
  });
});

test('a quotation of the old side is a removed line, by its old number', () => {
  expect(place({ quote: '  const sum = items.length;', side: 'old' })).toEqual({
    path: total,
    side: 'old',
    startLine: 11,
    endLine: 11,
    placement: 'exact',
    quote: '  const sum = items.length;',
    ordinal: 1,
    anchor: { line: 'const sum = items.length;', symbol: 'total', ordinal: 1 },
  });
  expect(where({ quote: '-  const sum = items.length;', side: 'old' })).toBe(`${total} old 11-11 exact 1`);
  expect(where({ quote: '  const sum = items.length;' })).toBe(`${total} old 11-11 exact 1`);
  expect(where({ quote: 'removeMe();', path: 'gone/total.ts' })).toBe('gone/total.ts old 1-1 exact 1');
});

test('context that was quoted as old is shown on the new side, and added lines are found too', () => {
  expect(where({ quote: '// end', side: 'old' })).toBe(`${total} new 41-41 exact 1`);
  expect(where({ quote: "  log('sum', sum);", side: 'old' })).toBe(`${total} new 12-12 exact 1`);
});

test('copied diff marks are tolerated', () => {
  expect(where({ quote: "+  log('sum', sum);" })).toBe(`${total} new 12-12 exact 1`);
  expect(where({ quote: "+  const sum = add(items);\n+  log('sum', sum);\n   return round(sum);" })).toBe(
    `${total} new 11-13 exact 1`,
  );
  expect(
    where({ quote: "-  const sum = items.length;\n+  const sum = add(items);\n+  log('sum', sum);" }),
  ).toBe(`${total} new 11-12 exact 1`);
});

test('white space, kinds of quotation marks and final punctuation are ignored in a loose match', () => {
  expect(where({ quote: 'log("sum",sum)' })).toBe(`${total} new 12-12 loose 1`);
  expect(where({ quote: 'log(‘sum’, sum);…' })).toBe(`${total} new 12-12 loose 1`);
  expect(where({ quote: '\tconst  sum = items.length ;' })).toBe(`${total} old 11-11 loose 1`);
  expect(where({ quote: 'shared();', path: 'lib/new-name.ts' })).toBe('lib/new-name.ts new 2-2 exact 1');
});

test('a distinctive part of a line is enough, a short one is not', () => {
  expect(where({ quote: 'sum = add(items)' })).toBe(`${total} new 11-11 loose 1`);
  expect(where({ quote: 'sum = add(items)', line: 42 })).toBe(`${total} new 42-42 loose 2`);
  expect(where({ quote: 'add(items' })).toBe(`${total} new 11-11 loose 1`);
  expect(where({ quote: 'add(item' })).toBe(`${total} null null-null unplaced 0`);
  expect(where({ quote: 'sum = add(items)\nlog' })).toBe(`${total} null null-null unplaced 0`);
});

test('an omission mark ends the quotation', () => {
  expect(where({ quote: "  const sum = add(items);\n  log('sum', sum);\n  // ...\n}" })).toBe(
    `${total} new 11-12 exact 1`,
  );
  expect(where({ quote: '…\n// end' })).toBe(`${total} new 41-41 exact 1`);
});

test('a quotation from another file of the change is placed there if it is unique', () => {
  expect(where({ quote: 'removeMe();' })).toBe('gone/total.ts old 1-1 exact 1');
  expect(where({ quote: 'removeMe();', path: null })).toBe('gone/total.ts old 1-1 exact 1');
  expect(where({ quote: 'removeMe();', path: 'nowhere.ts' })).toBe('gone/total.ts old 1-1 exact 1');
  const twice = parseUnifiedDiff(
    '--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+same();\n--- a/g\n+++ b/g\n@@ -0,0 +1 @@\n+same();\n',
  ).files;
  expect(placeIssue(issue({ path: 'h', quote: 'same();' }), twice)).toMatchObject({
    path: 'h',
    placement: 'unplaced',
  });
});

test('without a quotation the file is kept; an unfound quotation leaves the issue unplaced with its claim', () => {
  expect(place({ line: 12 })).toEqual({
    path: total,
    side: null,
    startLine: null,
    endLine: null,
    placement: 'file',
    quote: null,
    ordinal: 0,
    anchor: null,
  });
  expect(where({ line: 12, quote: 'nothing()' })).toBe(`${total} null null-null unplaced 0`);
  expect(place({ path: './nowhere.ts', line: 3, quote: 'nothing()' })).toEqual({
    path: 'nowhere.ts',
    side: null,
    startLine: null,
    endLine: null,
    placement: 'unplaced',
    quote: 'nothing()',
    ordinal: 0,
    anchor: { line: 'nothing()', symbol: null, ordinal: 0 },
    isElsewhere: true,
  });
  expect(where({ path: null })).toBe('null null null-null unplaced 0');
  expect(where({ path: '``' })).toBe('null null null-null unplaced 0');
  expect(where({ path: null, quote: '\n...\n' })).toBe('null null null-null unplaced 0');
  expect(where({ path: null, quote: ';' })).toBe('null null null-null unplaced 0');
});

test.each(['../../etc/passwd', '/home/a/secret.ts', 'C:\\a.ts', 'src/../../a.ts'])(
  'the claim %s leads out of the repository: the finding has no file, and is outside the change',
  (path) => {
    expect(place({ path, quote: 'nothing()' })).toMatchObject({ path: null, isElsewhere: true });
  },
);

test.each([
  ['lib/new-name.ts', 'lib/new-name.ts'],
  ['lib/old-name.ts', 'lib/new-name.ts'],
  ['`lib/new-name.ts`', 'lib/new-name.ts'],
  ['./lib/new-name.ts', 'lib/new-name.ts'],
  ['lib\\new-name.ts', 'lib/new-name.ts'],
  ['b/lib/new-name.ts', 'lib/new-name.ts'],
  ['a/src/checkout/total.ts', total],
  ['new-name.ts', 'lib/new-name.ts'],
  ['checkout/total.ts', total],
  ['/home/me/project/lib/new-name.ts', 'lib/new-name.ts'],
])('the path %s means %s', (path, expected) => {
  expect(where({ path })).toBe(`${expected} null null-null file 0`);
});

test.each(['total.ts', 'name.ts', 'c/lib', 'lib', 'ib/new-name.ts', 'src/checkout/total.ts.bak'])(
  'the path %s means no file, or more than one',
  (path) => {
    expect(where({ path })).toBe(`${path} null null-null unplaced 0`);
  },
);

test('a file that was deleted and added under one path is searched on both sides', () => {
  const both = parseUnifiedDiff(
    'diff --git a/x/f b/x/f\ndeleted file mode 120000\n--- a/x/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-target\n' +
      'diff --git a/x/f b/x/f\nnew file mode 100644\n--- /dev/null\n+++ b/x/f\n@@ -0,0 +1 @@\n+content\n',
  ).files;
  const find = (path: string, quote: string) => placeIssue(issue({ path, quote }), both);
  expect(find('x/f', 'content')).toMatchObject({ side: 'new', startLine: 1, placement: 'exact' });
  expect(find('f', 'target')).toMatchObject({ side: 'old', startLine: 1, placement: 'exact' });
});

const marked = parseUnifiedDiff(
  [
    '--- a/list.md',
    '+++ b/list.md',
    '@@ -1,5 +1,8 @@',
    ' # Steps',
    '-old step',
    '+- first step',
    '+- second step',
    '+---',
    '++ a plus item',
    '+-- drop the table',
    ' - kept step',
    ' end',
    ' ',
    '',
  ].join('\n'),
).files;

test.each([
  ['- first step', null, 'new 2-2 exact'],
  ['- first step\n- second step', null, 'new 2-3 exact'],
  ['---', null, 'new 4-4 exact'],
  ['+ a plus item', null, 'new 5-5 exact'],
  ['-- drop the table', null, 'new 6-6 exact'],
  ['- kept step', null, 'new 7-7 exact'],
  ['-old step', null, 'old 2-2 exact'],
  ['-old step', 'diff', 'old 2-2 exact'],
  ['+- first step\n+- second step', null, 'new 2-3 exact'],
  ['- fourth step', null, 'unplaced'],
])(
  'a mark of %j in a fence of %j belongs to the file unless the change has the line without it',
  (code, language, at) => {
    const quote = readQuote(code, language);
    const found = placeIssue({ ...issue({ path: 'list.md' }), quote }, marked);
    expect(told(found)).toBe(at);
  },
);

test.each([
  ["12:   log('sum', sum);", 'new 12-12 exact'],
  ["12 |   log('sum', sum);", 'new 12-12 exact'],
  ["    12\t  log('sum', sum);", 'new 12-12 exact'],
  ["    12→  log('sum', sum);", 'new 12-12 exact'],
  ["L12:   log('sum', sum);", 'new 12-12 exact'],
  ["12      log('sum', sum);", 'new 12-12 loose'],
  ["11:   const sum = add(items);\n12:   log('sum', sum);", 'new 11-12 exact'],
  ["11 | +  const sum = add(items);\n12 | +  log('sum', sum);", 'new 11-12 exact'],
  ['42:   const sum = add(items);\n43:\n44:   return sum;', 'new 42-44 exact'],
  ['42:   const sum = add(items);', 'new 42-42 exact'],
  ["12: log('sums', sum);", 'unplaced'],
  ["12:   const sum = add(items);\n11:   log('sum', sum);", 'unplaced'],
])('the line numbers of %j are a gutter, and choose between equal lines', (quote, at) => {
  expect(told(place({ quote }))).toBe(at);
});

test('a number with a colon is code if the file has it', () => {
  const change = parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+large value\n+2: large value\n').files;
  expect(told(placeIssue(issue({ path: 'f', quote: '2: large value' }), change))).toBe('new 2-2 exact');
});

test.each([
  ["+  const sum = add(items);\n  log('sum', sum);", 'new 11-12 exact'],
  ["+const sum = add(items);\nlog('sum', sum);", 'new 11-12 loose'],
  ["+  const sum = add(items);\n  log('sums', sum);", 'unplaced'],
])('a mark before the first line only is the diff’s: %j', (quote, at) => {
  expect(told(place({ quote }))).toBe(at);
});

test.each([
  ['function total(items) { … return round(sum); }', 'new 10-14 loose'],
  ['function total(items) { ... return round(sum);', 'new 10-13 loose'],
  ['function total(items) { [...] }', 'new 10-14 loose'],
  ["function total(items) {\n  …\n  log('sum', sum);", 'new 10-10 exact'],
  ['function total(items) { … log(…); … }', 'new 10-14 loose'],
  ['function total(items) { … return round(total); }', 'unplaced'],
  ['function totals(items) { … return round(sum); }', 'unplaced'],
  ['function tot … return round(sum); }', 'unplaced'],
  ['return round(sum) … }', 'unplaced'],
])('the cut quotation %j is the only place with its beginning and its end', (quote, at) => {
  expect(told(place({ quote }))).toBe(at);
});

const caller = wholeFile(
  'src/caller.ts',
  ['start();', 'const sum = total(items);', 'stop();', 'start();', '- item', 'end(', '  all,', ');', ''].join(
    '\n',
  ),
);

test.each([
  ['const sum = total(items);', null, 'new 2-2 exact'],
  ['  const sum = total(items)', null, 'new 2-2 loose'],
  ['const sum = total(items);\nstop();', 90, 'new 2-3 exact'],
  ['2: const sum = total(items);', null, 'new 2-2 exact'],
  ['start();', 3, 'new 4-4 exact'],
  ['start();', null, 'none'],
  ['4: start();', null, 'new 4-4 exact'],
  ['- item', null, 'new 5-5 exact'],
  ['const sum = total(items); … end( all, );', null, 'new 2-8 loose'],
  ['const sum = total(item);', 2, 'none'],
  ['sum = total(items)', 2, 'none'],
])(
  'outside the change, %j with the line %j is placed in the whole file if that is certain',
  (quote, line, at) => {
    const about = issue({ path: 'src/caller.ts', line, quote });
    const searched = searchedIssue({ issue: about, place: placeIssue(about, files) }, files);
    expect(searched).toMatchObject({
      path: 'src/caller.ts',
      place: { placement: 'unplaced', isElsewhere: true },
    });
    const found = searched === null ? null : placeInWhole(searched, caller);
    expect(found === null ? 'none' : `${told(found)}${found.isElsewhere === true ? '' : ' inside'}`).toBe(at);
  },
);

test('an equal line of the change gives way to the claimed line only if the change does not show that one', () => {
  const whole = wholeFile(total, `${'\n'.repeat(79)}  return round(sum);\n  return round(sum) ;\n`);
  const searched = (line: number, quote = '  return round(sum);') => {
    const about = issue({ line, quote });
    const outside = searchedIssue({ issue: about, place: placeIssue(about, files) }, files);
    return outside === null ? 'not searched' : (placeInWhole(outside, whole)?.startLine ?? 'not there');
  };
  expect([80, 81, 200, 13, 15].map((line) => searched(line))).toEqual([
    80,
    'not there',
    'not there',
    'not searched',
    'not searched',
  ]);
  expect(searched(1, '-  const sum = items.length;')).toBe('not there');
});

test.each([
  { quote: null },
  { path: null, quote: 'nothing()' },
  { path: '../caller.ts', quote: 'nothing()' },
  { path: '/etc/passwd', quote: 'nothing()' },
])('no file is searched for %j', (claim) => {
  expect(searchedIssue({ issue: issue(claim), place: place(claim) }, files)).toBeNull();
});

test('the named file is searched before a quotation is placed in another file of the change', () => {
  const about = issue({ path: 'lib/new-name.ts', quote: 'removeMe();', line: 30 });
  const searched = searchedIssue({ issue: about, place: placeIssue(about, files) }, files);
  expect(searched).toMatchObject({ path: 'lib/new-name.ts', place: { path: 'gone/total.ts' } });
  const text = `${'\n'.repeat(20)}removeMe();\n`;
  const found = searched === null ? null : placeInWhole(searched, wholeFile('lib/new-name.ts', text));
  expect(found).toMatchObject({ path: 'lib/new-name.ts', side: 'new', startLine: 21 });
});

function told({ side, startLine, endLine, placement }: FindingPlace): string {
  return startLine === null ? placement : `${side} ${startLine}-${endLine} ${placement}`;
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', '  delta', '', '}', 'x = 1;');
const markedLine = fc.tuple(fc.constantFrom('+', '-', ' '), word);

function diffOf(lines: readonly (readonly [string, string])[]): string {
  const count = (absent: string) => lines.filter(([mark]) => mark !== absent).length;
  const body = lines.map(([mark, text]) => `${mark}${text}\n`).join('');
  return `--- a/f\n+++ b/f\n@@ -5,${count('+')} +7,${count('-')} @@\n${body}`;
}

test('any line of the new side, quoted with its number, is found at that number', () => {
  fc.assert(
    fc.property(fc.array(markedLine, { minLength: 1, maxLength: 20 }), fc.nat(), (lines, pick) => {
      const change = parseUnifiedDiff(diffOf(lines)).files;
      const news = change
        .flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines))
        .filter((line) => line.kind === 'added');
      const line = news[pick % Math.max(news.length, 1)];
      if (line === undefined || line.text === '') return;
      expect(placeIssue(issue({ path: 'f', line: line.newLine, quote: line.text }), change)).toMatchObject({
        startLine: line.newLine,
        endLine: line.newLine,
        side: 'new',
        placement: 'exact',
        quote: line.text,
      });
    }),
  );
});

test('for any claim, a reported line is a line of the change with the reported text', () => {
  const claim = fc.record({
    path: fc.constantFrom('f', 'g', null),
    line: fc.option(fc.integer({ min: 1, max: 40 })),
    quote: fc.option(fc.array(word, { maxLength: 3 }).map((parts) => parts.join('\n'))),
    side: fc.constantFrom('new' as const, 'old' as const),
  });
  fc.assert(
    fc.property(fc.array(markedLine, { minLength: 1, maxLength: 20 }), claim, (lines, claimed) => {
      const change = parseUnifiedDiff(diffOf(lines)).files;
      const found = placeIssue(issue(claimed), change);
      const number = found.side === 'new' ? 'newLine' : 'oldLine';
      const quoted = change
        .flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines))
        .filter((line) => between(line[number], found.startLine, found.endLine));
      const unlined = found.startLine === null ? claimed.quote : null;
      expect(unlined ?? quoted.map(({ text }) => text).join('\n')).toBe(found.quote ?? '');
      expect(found.startLine === null).toBe(['file', 'unplaced'].includes(found.placement));
    }),
  );
});

function between(line: number | null, start: number | null, end: number | null): boolean {
  return line !== null && start !== null && end !== null && start <= line && line <= end;
}

test('a quotation finds a line with characters that cannot be seen, copied as it is or as a prompt shows it', () => {
  const line = 'if (isAdmin\u202e\u2066// nobody\u2069 \u2066) {';
  const trojan = parseUnifiedDiff(
    [
      'diff --git a/src/pass\u200bword.ts b/src/pass\u200bword.ts',
      '--- a/src/pass\u200bword.ts',
      '+++ b/src/pass\u200bword.ts',
      '@@ -1 +1,2 @@',
      ' const a = 1;',
      `+${line}`,
      '',
    ].join('\n'),
  ).files;
  for (const quoted of [line, makeVisible(line), `+ ${makeVisible(line)};`]) {
    const found = placeIssue(issue({ path: 'src/pass<U+200B>word.ts', line: 1, quote: quoted }), trojan);
    expect(found).toMatchObject({
      path: 'src/pass\u200bword.ts',
      startLine: 2,
      endLine: 2,
      side: 'new',
      quote: line,
    });
  }
});

const closing = parseUnifiedDiff(
  [
    '--- a/close.ts',
    '+++ b/close.ts',
    '@@ -1,1 +1,6 @@',
    ' if (file) {',
    '+    close(file);',
    '+    stop(file);',
    '+}',
    '+close(file);',
    '+stop(file);',
    '',
  ].join('\n'),
).files;

test.each([
  ['close(file);', 2, 'new 2-2 loose'],
  ['\tclose(file);\n\tstop(file);', 2, 'new 2-3 loose'],
  ['close(file);\nstop(file);', 2, 'new 2-3 loose'],
  ['2: close(file);\n3: stop(file);', null, 'new 2-3 loose'],
  ['close(file);', 5, 'new 5-5 exact'],
  ['    close(file);', 5, 'new 5-5 loose'],
  ['close(file);', 3, 'new 5-5 exact'],
  ['close(file);', null, 'new 5-5 exact'],
  ['    close(file);', null, 'new 2-2 exact'],
])('%j re-indented at the claimed line %j is found there: %s', (quote, line, expected) => {
  const { side, startLine, endLine, placement } = placeIssue(
    issue({ path: 'close.ts', line, quote }),
    closing,
  );
  expect(`${side} ${startLine}-${endLine} ${placement}`).toBe(expected);
});

test('a line outside the change that was re-indented is found at its claimed line, whatever the change contains', () => {
  const claim = issue({ path: 'close.ts', line: 90, quote: 'close(file);' });
  const searched = searchedIssue({ issue: claim, place: placeIssue(claim, closing) }, closing);
  if (searched === null) throw new Error('not searched');
  const whole = (indented: string) =>
    placeInWhole(searched, wholeFile('close.ts', `${'\n'.repeat(89)}${indented}\nclose(file);\n`));
  expect(whole('    close(file);')).toMatchObject({ startLine: 90, placement: 'loose' });
  expect(whole('    close(other);')).toBeNull();
});
