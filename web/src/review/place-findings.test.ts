import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import type { Finding } from '../../../src/client/run-events.ts';
import { parseUnifiedDiff, type DiffFile, type DiffLine } from '../../../src/client/review.ts';
import { masked } from '../../../src/secrets/mask-secrets.ts';
import { rehearse, settledResult } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { keyOf } from './change-lines.ts';
import { placeFindings, type PlacedFindings } from './place-findings.ts';

const checkout = readFileSync('examples/checkout.diff', 'utf8');

test('every planted fault is marked by a real static review at its line, and drawn where it ends', async () => {
  const findings = await reviewOf(checkout, { turns: [], advisor: 'static_review' });
  // The diff as the server sends it.
  const { files } = parseUnifiedDiff(masked(checkout));
  const placed = placeFindings(files, findings);
  const planted: readonly { path: string; side: string; line: number }[] = JSON.parse(
    readFileSync('examples/checkout.expected.json', 'utf8'),
  );
  const marked = placed.files.flatMap(({ file, findings: { marked: keys } }) =>
    linesOf(file)
      .filter((line) => keys.has(keyOf(line)))
      .flatMap(({ oldLine, newLine }) => [`${file.path} old ${oldLine}`, `${file.path} new ${newLine}`]),
  );
  expect(marked).toEqual(
    expect.arrayContaining(planted.map(({ path, side, line }) => `${path} ${side} ${line}`)),
  );
  const drawn = drawnAt(placed);
  expect(drawn).toHaveLength(findings.length);
  for (const { text, quote } of drawn) expect(quote).toContain(text.trim());
});

test('a finding on a removed line is on the old side', async () => {
  const script = readFileSync('examples/rehearsal.yaml', 'utf8');
  const findings = await reviewOf(checkout, { turns: parse(script).turns });
  // Those that only rules found are in the test above.
  const ofScript = findings.filter(({ title }) => script.includes(title));
  const placed = placeFindings(parseUnifiedDiff(checkout).files, ofScript);
  expect(
    drawnAt(placed)
      .map(({ key, place }) => `${key} ${place}`)
      .toSorted(),
  ).toEqual([
    'D14 src/checkout/refund.ts old 14',
    'I11 src/checkout/coupon.ts new 11',
    'I14 src/orders/order-store.ts new 14',
    'I16 src/checkout/total.ts new 16',
    'I26 src/checkout/refund.ts new 26',
    'I4 db/migrations/0042_cart_cleanup.sql new 4',
  ]);
  expect(placed.unplaced).toEqual([]);
});

const renamed = `diff --git a/old name.ts b/src/new.ts
similarity index 80%
rename from old name.ts
rename to src/new.ts
--- a/old name.ts
+++ b/src/new.ts
@@ -10,4 +12,4 @@
 first
-second
+zweite
 third
 fourth
`;

test.each([
  ['new', 12, 12, 'N10'],
  ['old', 10, 10, 'N10'],
  ['new', 13, 13, 'I13'],
  ['old', 11, 11, 'D11'],
  ['new', 13, 14, 'N12'],
  ['old', 11, 13, 'N13'],
] as const)('in a renamed file line %s %i to %i is under %s', (side, start_line, end_line, key) => {
  const [file] = placedIn(renamed, finding({ path: 'src/new.ts', side, start_line, end_line })).files;
  expect([...(file?.findings.byLine.keys() ?? [])]).toEqual([key]);
});

test('every line of a finding is marked, only on its side', () => {
  const [file] = placedIn(
    renamed,
    finding({ path: 'src/new.ts', side: 'new', start_line: 12, end_line: 14 }),
  ).files;
  expect([...(file?.findings.marked ?? [])]).toEqual(['N10', 'I13', 'N12']);
});

test('an earlier name finds the file if no other file has it now', () => {
  const at = { side: 'old', start_line: 11, end_line: 11 } as const;
  const [file] = placedIn(renamed, finding({ path: 'old name.ts', ...at })).files;
  expect([...(file?.findings.byLine.keys() ?? [])]).toEqual(['D11']);
});

test('a finding about a file, or about lines outside of the change, is at the top of the file', () => {
  const ofFile = finding({ path: 'src/new.ts', placement: 'file', side: null, start_line: null });
  const outside = finding({ path: 'src/new.ts', start_line: 900, end_line: 900 });
  const { files, unplaced } = placedIn(renamed, ofFile, outside);
  expect(files[0]?.findings.ofFile).toEqual([ofFile, outside]);
  expect(unplaced).toEqual([]);
});

test('a finding without a place in the change is separate, even if it names a file of it', () => {
  const lost = finding({ path: 'src/new.ts', placement: 'unplaced', side: null, start_line: null });
  const elsewhere = finding({ path: 'README.md', placement: 'unplaced' });
  const nowhere = finding({ path: null, placement: 'unplaced' });
  const { files, unplaced } = placedIn(renamed, lost, elsewhere, nowhere);
  expect(unplaced).toEqual([lost, elsewhere, nowhere]);
  expect(files[0]?.findings.ofFile).toEqual([]);
});

test('two findings on one line are below it in order', () => {
  const [worse, other] = [finding({ path: 'src/new.ts', start_line: 13, end_line: 13 }), finding()];
  const second = { ...worse, id: other.id, severity: 'minor' } as const;
  const [file] = placedIn(renamed, worse, second).files;
  expect(file?.findings.byLine.get('I13')).toEqual([worse, second]);
});

test('each side of a file that became something else has its own findings', () => {
  const change = `diff --git a/link b/link
deleted file mode 100644
--- a/link
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+target
`;
  const at = { path: 'link', start_line: 1, end_line: 1 } as const;
  const { files } = placedIn(change, finding({ ...at, side: 'old' }), finding({ ...at, side: 'new' }));
  expect(files.map(({ id, findings }) => [id, ...findings.byLine.keys()])).toEqual([
    ['file-1', 'D1'],
    ['file-2', 'I1'],
  ]);
});

function placedIn(diff: string, ...findings: readonly Finding[]): PlacedFindings {
  return placeFindings(parseUnifiedDiff(diff).files, findings);
}

interface Drawn {
  readonly key: string;
  readonly place: string;
  readonly text: string;
  readonly quote: string;
}

/** The place at which the reader sees each finding: the line above it, by file, side and number. */
function drawnAt({ files }: PlacedFindings): readonly Drawn[] {
  return files.flatMap(({ file, findings }) =>
    [...findings.byLine].flatMap(([key, list]) =>
      list.map(({ side, quote }) => {
        const line = linesOf(file).find((candidate) => keyOf(candidate) === key);
        const number = side === 'old' ? line?.oldLine : line?.newLine;
        return { key, place: `${file.path} ${side} ${number}`, text: line?.text ?? '?', quote: quote ?? '' };
      }),
    ),
  );
}

function linesOf({ hunks }: DiffFile): readonly DiffLine[] {
  return hunks.flatMap(({ lines }) => lines);
}

async function reviewOf(diff: string, options: { turns: readonly object[]; advisor?: string }) {
  const review = await rehearse({ ...options, diff, settings: { rules: 'all' } });
  return settledResult(await review.drive()).findings;
}
