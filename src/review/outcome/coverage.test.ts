import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { linesOf } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import { takeCensus } from '../census/census.ts';
import { computeCoverage, type Assurance } from './coverage.ts';
import { everything } from '../census/selection.ts';
import { censusOf, exchange, shownOf } from '../findings/findings.test-helper.ts';

const census = censusOf('a.ts', 'b.ts', 'yarn.lock');

test('a receipt has the exchange, its digests and the shown lines of the file', () => {
  const shown = shownOf(census, 'a.ts', 'b.ts');
  expect(computeCoverage(census, [exchange({ shown, promptDigest: 'p1', answerDigest: 'a1' })])).toEqual({
    assurance: 'model',
    filesChanged: 3,
    linesChanged: 6,
    linesReviewed: 4,
    linesScanned: 0,
    linesMissed: 0,
    files: [
      {
        path: 'a.ts',
        status: 'reviewed',
        reason: null,
        skippedBy: null,
        receipts: [
          {
            exchange: 'chunk-1',
            promptDigest: 'p1',
            answerDigest: 'a1',
            cached: null,
            ranges: [{ side: 'new', start: 1, end: 2 }],
          },
        ],
      },
      {
        path: 'b.ts',
        status: 'reviewed',
        reason: null,
        skippedBy: null,
        receipts: [
          {
            exchange: 'chunk-1',
            promptDigest: 'p1',
            answerDigest: 'a1',
            cached: null,
            ranges: [{ side: 'new', start: 1, end: 2 }],
          },
        ],
      },
      { path: 'yarn.lock', status: 'skipped', reason: 'lock file', skippedBy: 'collab', receipts: [] },
    ],
  });
});

function summary(...exchanges: Parameters<typeof exchange>[0][]): string {
  const { assurance, linesReviewed, linesScanned, linesMissed, files } = computeCoverage(
    census,
    exchanges.map((one) => exchange(one)),
  );
  const statuses = files.map(({ status }) => status).join(' ');
  return `${assurance} ${linesReviewed}/${linesScanned}/${linesMissed} ${statuses}`;
}

const a = shownOf(census, 'a.ts');
const b = shownOf(census, 'b.ts');
const firstLine: LineRange = { path: 'a.ts', side: 'new', start: 1, end: 1 };
const secondLine: LineRange = { path: 'a.ts', side: 'new', start: 2, end: 2 };

test('only settled exchanges count', () => {
  expect(summary()).toBe('none 0/0/4 failed failed skipped');
  expect(summary({ shown: a, outcome: 'exhausted' }, { shown: b, outcome: 'unavailable' })).toBe(
    'none 0/0/4 failed failed skipped',
  );
  expect(summary({ shown: a })).toBe('model 2/0/2 reviewed failed skipped');
});

test('a file is reviewed once all of its lines were shown, in any number of exchanges', () => {
  expect(summary({ shown: [firstLine] }, { shown: b })).toBe('model 3/0/1 failed reviewed skipped');
  expect(summary({ shown: [firstLine] }, { shown: [secondLine, ...b] })).toBe(
    'model 4/0/0 reviewed reviewed skipped',
  );
});

test('a file that only rules saw in part is scanned, and so is the run', () => {
  expect(summary({ shown: [...a, ...b], assurance: 'static' })).toBe('static 0/4/0 scanned scanned skipped');
  expect(summary({ shown: [...a, ...b], assurance: 'static' }, { shown: a })).toBe(
    'static 2/2/0 reviewed scanned skipped',
  );
  expect(summary({ shown: [...a, ...b], assurance: 'static' }, { shown: [firstLine] })).toBe(
    'static 1/3/0 scanned scanned skipped',
  );
  expect(summary({ shown: [...a, ...b], assurance: 'static' }, { shown: [...a, ...b] })).toBe(
    'model 4/0/0 reviewed reviewed skipped',
  );
});

test('a rehearsal shows lines and gives no assurance', () => {
  expect(summary({ shown: [...a, ...b], assurance: 'none' })).toBe('none 4/0/0 reviewed reviewed skipped');
  expect(summary({ shown: a, assurance: 'none' }, { shown: b })).toBe('none 4/0/0 reviewed reviewed skipped');
});

test('a missed file says how much of it was missed', () => {
  const { files } = computeCoverage(census, [exchange({ shown: [firstLine] })]);
  expect(files.map(({ reason }) => reason)).toEqual([
    '1 of 2 changed lines were in no exchange that settled',
    '2 of 2 changed lines were in no exchange that settled',
    'lock file',
  ]);
});

test('removed lines of a modified file count on the old side; context does not count', () => {
  const modified = takeCensus(
    parseUnifiedDiff('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n keep\n-old\n+new\n keep\n'),
    everything,
  );
  const seen = (...shown: readonly LineRange[]) =>
    computeCoverage(modified, [exchange({ shown })]).linesMissed;
  expect(seen({ path: 'f', side: 'new', start: 1, end: 3 })).toBe(1);
  expect(seen({ path: 'f', side: 'old', start: 2, end: 2 })).toBe(1);
  expect(
    seen({ path: 'f', side: 'old', start: 2, end: 2 }, { path: 'f', side: 'new', start: 2, end: 2 }),
  ).toBe(0);
});

test('reviewed, scanned and missed lines are all lines under review', () => {
  const lines = fc.record({
    path: fc.constantFrom('a.ts', 'b.ts', 'yarn.lock', 'other'),
    side: fc.constantFrom('new' as const, 'old' as const),
    start: fc.integer({ min: 1, max: 2 }),
    end: fc.integer({ min: 2, max: 3 }),
  });
  const anyExchange = fc
    .record({
      shown: fc.array(lines, { maxLength: 3 }),
      assurance: fc.constantFrom<Assurance>('model', 'static', 'none'),
      outcome: fc.constantFrom('settled' as const, 'exhausted' as const),
    })
    .map(exchange);
  fc.assert(
    fc.property(fc.array(anyExchange, { maxLength: 4 }), (exchanges) => {
      const { linesReviewed, linesScanned, linesMissed, files, assurance } = computeCoverage(
        census,
        exchanges,
      );
      expect(linesReviewed + linesScanned + linesMissed).toBe(4);
      expect(linesMissed > 0).toBe(files.some(({ status }) => status === 'failed'));
      expect(assurance === 'model' && linesScanned > 0).toBe(false);
      expect(linesOf(census.reviewable).length).toBe(2);
    }),
  );
});
