import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Finding } from '../../events/collab-event.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { consultResult, reviewInput, savedRun } from '../folder/saved-runs.test-helper.ts';
import type { RunResult } from '../folder/result-file.ts';
import { findingsToFix } from './findings-to-fix.ts';

const found: readonly Finding[] = [
  finding({ id: 'F1', severity: 'minor', title: 'minor', path: 'b.ts' }),
  finding({ id: 'F2', severity: 'critical', title: 'second', path: 'b.ts' }),
  finding({ id: 'F3', severity: 'critical', title: 'first', path: 'a.ts' }),
  finding({ id: 'F4', severity: 'critical', title: 'known', baseline: true }),
];

/** Runs in a home, each older than the one before it. */
function world(results: Readonly<Record<string, RunResult | null>> = { new: reviewOf('new', found) }) {
  const cwd = scratchFolder();
  const home = join(cwd, '.collab');
  for (const [runId, result] of Object.entries(results)) savedRun(home, runId, reviewInput({ cwd }), result);
  return { home, cwd };
}

function reviewOf(
  run_id: string,
  findings: readonly Finding[],
  more: Partial<ReviewResult> = {},
): ReviewResult {
  return report({ run_id, findings: [...findings], ...more });
}

const idsOf = async (...[request, place]: Parameters<typeof findingsToFix>) => {
  const { run, findings } = await findingsToFix(request, place);
  return [run, ...findings.map(({ id }) => id)];
};

describe('the findings', () => {
  test('that are named are those of the run, once, in the order of its report', async () => {
    const names = ['F1', 'F2', 'F3', 'F2'];
    expect(await idsOf({ kind: 'fix', findings: names }, world())).toEqual(['new', 'F3', 'F2', 'F1']);
  });

  test('--all-critical means the Critical ones that count, in addition to named ones', async () => {
    const place = world();
    expect(await idsOf({ kind: 'fix', all_critical: true }, place)).toEqual(['new', 'F3', 'F2']);
    const request = { kind: 'fix', all_critical: true, findings: ['F1', 'F2'] } as const;
    expect(await idsOf(request, place)).toEqual(['new', 'F3', 'F2', 'F1']);
  });

  test('have to be named: the refusal shows them, worst first', async () => {
    expect(await refusalOf(findingsToFix({ kind: 'fix' }, world()))).toEqual({
      code: 'usage',
      message: 'no finding is named',
      hint: 'Name findings of new: F3 critical a.ts:1, F2 critical b.ts:1, F1 minor b.ts:1, F4 critical a.ts:1',
    });
  });

  test('of a run without a Critical one are shown, eight at most', async () => {
    const minor = Array.from({ length: 9 }, (_, index) =>
      finding({ id: `F${index + 1}`, severity: 'minor', start_line: index + 1, end_line: index + 1 }),
    );
    const request = { kind: 'fix', all_critical: true } as const;
    const { message, hint } = await refusalOf(findingsToFix(request, world({ new: reviewOf('new', minor) })));
    expect(message).toBe('new has no Critical finding');
    expect(hint).toMatch(/^Name findings of new: F1 minor a\.ts:1, .*, F8 minor a\.ts:8, …$/);
    const eight = await refusalOf(findingsToFix(request, world({ new: reviewOf('new', minor.slice(0, 8)) })));
    expect(eight.hint).toMatch(/F8 minor a\.ts:8$/);
  });
});

describe('the run', () => {
  const unended = reviewOf('d', found, { state: 'interrupted' });
  const results = {
    e: consultResult({ run_id: 'e' }),
    d: unended,
    c: reviewOf('c', []),
    b: reviewOf('b', found),
    a: reviewOf('a', found),
    '0': null,
  };

  test('is the newest review that has ended with findings', async () => {
    expect(await idsOf({ kind: 'fix', findings: ['F1'] }, world(results))).toEqual(['b', 'F1']);
  });

  test('that is named may be older', async () => {
    expect(await idsOf({ kind: 'fix', run: 'a', findings: ['F1'] }, world(results))).toEqual(['a', 'F1']);
  });

  test.each([
    ['c', 'c has no findings to fix', 'collab runs lists the runs with their outcomes.'],
    ['d', 'd is not a review that has ended', 'See its state: collab status d'],
    ['e', 'e is not a review that has ended', 'See its state: collab status e'],
    ['0', '0 is not a review that has ended', 'See its state: collab status 0'],
  ])('%s is refused, with its reason', async (run, message, hint) => {
    const request = { kind: 'fix', run, findings: ['F1'] } as const;
    expect(await refusalOf(findingsToFix(request, world(results)))).toEqual({ code: 'usage', message, hint });
  });

  test('of no run at all is refused', async () => {
    const place = world({});
    expect(await refusalOf(findingsToFix({ kind: 'fix', findings: ['F1'] }, place))).toMatchObject({
      code: 'run_not_found',
    });
  });

  test('of another folder is refused: a fix edits the files here', async () => {
    const { home } = world();
    const elsewhere = scratchFolder();
    const refusal = await refusalOf(
      findingsToFix({ kind: 'fix', findings: ['F1'] }, { home, cwd: elsewhere }),
    );
    const reviewed = join(home, '..');
    expect(refusal).toEqual({
      code: 'usage',
      message: `new reviewed ${reviewed}, not the current folder`,
      hint: `Go there first: cd "${reviewed}"`,
    });
  });
});

describe('--from', () => {
  const request = { kind: 'fix', from: 'saved.json', findings: ['F2'] } as const;

  test('takes a saved result, which may be about other files', async () => {
    expect(await idsOf(request, saved(reviewOf('other', found)))).toEqual(['other', 'F2']);
  });

  test.each([
    ['has no findings', reviewOf('other', [])],
    ['has not ended', reviewOf('other', found, { state: 'running' })],
  ])('a result that %s is refused', async (_title, result) => {
    const place = saved(result);
    expect(await refusalOf(findingsToFix(request, place))).toMatchObject({
      code: 'usage',
      message: `${join(place.cwd, 'saved.json')} has no findings of a review that has ended`,
    });
  });

  test('and a run are two sources', async () => {
    const both = { ...request, run: 'new' } as const;
    expect(await refusalOf(findingsToFix(both, saved(reviewOf('other', found))))).toMatchObject({
      code: 'usage',
      message: '--from saved.json and the run new are two sources of findings',
    });
  });
});

function saved(result: RunResult) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'saved.json'), JSON.stringify(result));
  return { cwd, home: join(cwd, '.collab') };
}
