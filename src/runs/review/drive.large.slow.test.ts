/** A rehearsed advisor reviews 3,000 lines in 60 files. The real Codex: test/agents/review/large-change.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLaws } from '../../events/laws.ts';
import { maxAnswerBytes } from '../../parsers/markdown/answer-size.ts';
import { largeAnswer } from '../../../test/fixtures/review-answers.ts';
import { takeCensus } from '../../review/census/census.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { everything } from '../../review/census/selection.ts';
import { rehearse, settledResult, wholeAnswer } from '../rehearsed-review.test-helper.ts';

const diff = readFileSync(join(import.meta.dirname, '../../../test/fixtures/changes/large.diff'), 'utf8');
const paths = takeCensus(parseUnifiedDiff(diff), everything).files.map(({ path }) => path);
const settings = { chunk_tokens: 4000, cache: true };
const clean = { answer: wholeAnswer, repeat: 'forever' };

test('every file is in the manifest, and every line in an exchange that settled', async () => {
  const review = await rehearse({ diff, settings, turns: [clean] });
  const { coverage, exchanges } = settledResult(await review.drive());
  expect(coverage.files.map(({ path }) => path)).toEqual(paths);
  expect(coverage).toMatchObject({ files_changed: 60, lines_changed: 3000, lines_reviewed: 3000 });
  expect(exchanges.length).toBeGreaterThan(6);
});

test.each([1, 3, 5])(
  'with --concurrency %i at most that many calls are open at once',
  async (concurrency) => {
    const review = await rehearse({
      diff,
      settings: { ...settings, cache: false, concurrency },
      // Long enough for calls that start together to be open together.
      turns: [{ ...clean, delay_ms: 150 }],
    });
    settledResult(await review.drive());
    expect(mostOpen(review.calls())).toBe(concurrency);
  },
);

test('a failed chunk makes the review incomplete and names its files; the others keep their findings', async () => {
  const turns = [
    {
      when: { contains: 'export interface GuardianStore' },
      fault: 'unavailable',
      code: 'quota',
      repeat: 'forever',
    },
    { when: { contains: 'export interface BedStore' }, answer: largeAnswer, repeat: 'forever' },
    clean,
  ];
  const review = await rehearse({ diff, settings, turns });
  const { outcome, exit_code, coverage, findings } = settledResult(await review.drive());
  expect({ outcome, exit_code }).toEqual({ outcome: 'incomplete', exit_code: 3 });
  const failed = coverage.files.filter(({ status }) => status === 'failed').map(({ path }) => path);
  expect(failed).toContain('src/guardian/guardian-store.ts');
  expect(failed.length).toBeLessThan(20);
  expect(coverage.files.length).toBe(60);
  expect(findings.filter(isAdvisors)).toMatchObject([
    { severity: 'critical', path: 'src/bed/bed-store.ts', start_line: 20 },
  ]);

  const before = begun(review.calls()).length;
  const again = await rehearse({ diff, settings, turns, cwd: review.cwd });
  const second = settledResult(await again.drive());
  expect(begun(again.calls()).length - before).toBe(1);
  expect(second.exchanges.filter(({ cached }) => cached === undefined)).toHaveLength(1);
  expect(second.findings.filter(isAdvisors)).toMatchObject([{ path: 'src/bed/bed-store.ts' }]);
});

test.each([
  ['20 MB at once', 20_000_000, undefined],
  ['3 MB in one line, letter by letter', 3_000_000, 7],
])(
  'an answer of %s is stopped: what came first is kept, and nothing is called clean',
  async (_what, size, delta_size) => {
    const answer = `${wholeAnswer}${'word '.repeat(size / 5)}`;
    const turns = [{ answer, delta_size, repeat: 'forever' }];
    const review = await rehearse({ turns });
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
    expect(JSON.stringify(result)).toContain('the answer was stopped: it grew beyond 256 KiB');
    expect(begun(review.calls())).toHaveLength(1);
    const events = review.journal();
    const said = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
    expect(answer.startsWith(said)).toBe(true);
    expect(Buffer.byteLength(said)).toBe(maxAnswerBytes);
    expect(checkLaws(events)).toEqual([]);
  },
);

/** Rules find others in the same change. */
function isAdvisors({ title }: { readonly title: string }): boolean {
  return title === 'A query is put together';
}

function begun(calls: readonly string[]): readonly string[] {
  return calls.filter((call) => call.startsWith('begin'));
}

function mostOpen(calls: readonly string[]): number {
  let [open, most] = [0, 0];
  for (const call of calls) {
    open += call.startsWith('begin') ? 1 : -1;
    most = Math.max(most, open);
  }
  return most;
}
