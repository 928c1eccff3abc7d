import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { failOnGrades, severities, type FailOn } from '../../tags/severities.ts';
import { exchangeCauses, type ExchangeCause, type ExchangeReport } from './coverage.ts';
import { decideOutcome, exitCodeOf, type OutcomeInput } from './outcome.ts';
import { takeCensus } from '../census/census.ts';
import { everything } from '../census/selection.ts';
import { reasonCodes, renderReason } from './reasons.ts';
import { censusOf, exchange, finding, shownOf } from '../findings/findings.test-helper.ts';

const nowBinary = 'diff --git a/b.js b/b.js\nBinary files a/b.js and b/b.js differ\n';
const census = censusOf('a.ts', 'b.ts');
const all = shownOf(census, 'a.ts', 'b.ts');
const settled = exchange({ shown: all });
const scanned = exchange({ shown: all, assurance: 'static' });

const base: OutcomeInput = {
  fail_on: 'critical',
  fail_on_empty: false,
  census,
  exchanges: [settled],
  findings: [],
  advisorChosenBy: 'auto',
  rulesFault: null,
  cancelled: false,
};

function unsettled(
  name: string,
  outcome: 'exhausted' | 'unavailable',
  cause: ExchangeCause | null,
): ExchangeReport {
  return exchange({ name, outcome, cause, answerDigest: null });
}

/** `outcome exit assurance [codes]` */
function decide(changes: Partial<OutcomeInput>): string {
  const { outcome, exitCode, assurance, reasons } = decideOutcome({ ...base, ...changes });
  return `${outcome} ${exitCode} ${assurance} [${reasons.map(({ code }) => code).join(' ')}]`;
}

function texts(changes: Partial<OutcomeInput>): readonly string[] {
  return decideOutcome({ ...base, ...changes }).reasons.map(renderReason);
}

const critical = finding({ severity: 'critical' });
const important = finding({ severity: 'important' });
const minor = finding({ severity: 'minor' });
const half = exchange({ shown: shownOf(census, 'a.ts') });
const skippedOnly = censusOf('package-lock.json', 'yarn.lock');
const outside = finding({ severity: 'critical', outside_change: true });
const lockChange = 'diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -1 +1 @@\n-a\n+b\n';
const smallChange = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n';
const smallExchange = exchange({ shown: shownOf(censusOfText(smallChange), 'a.ts') });
const newEncoding =
  '--- /dev/null\n+++ b/.gitattributes\n@@ -0,0 +1 @@\n+*.js working-tree-encoding=IBM037\n';
const encodingExchange = exchange({ shown: shownOf(censusOfText(newEncoding), '.gitattributes') });
const unreadableOnly = censusOfText(nowBinary);
const longCensus = censusOfText(
  `--- /dev/null\n+++ b/long.ts\n@@ -0,0 +1,70 @@\n${`+${'x'.repeat(1023)}\n`.repeat(70)}`,
);

function censusOfText(diff: string) {
  return takeCensus(parseUnifiedDiff(diff), everything);
}

test.each<[string, Partial<OutcomeInput>, string]>([
  ['everything settled, nothing found', {}, 'clean 0 model [no_findings]'],
  ['a critical finding', { findings: [critical] }, 'findings 1 model [findings_at_threshold]'],
  ['an important finding', { findings: [important] }, 'findings 0 model [findings_below_threshold]'],
  ['a minor finding', { findings: [minor] }, 'findings 0 model [findings_below_threshold]'],
  [
    'some settled, some exhausted',
    { exchanges: [half, unsettled('chunk-2', 'exhausted', 'time')] },
    'incomplete 3 model [time_spent lines_not_shown]',
  ],
  [
    'some settled, some unavailable',
    { exchanges: [half, unsettled('chunk-2', 'unavailable', 'died')] },
    'incomplete 3 model [agent_died lines_not_shown]',
  ],
  [
    'some settled with a critical finding, some not',
    { exchanges: [half, unsettled('chunk-2', 'exhausted', 'protocol')], findings: [critical] },
    'incomplete 3 model [protocol_exhausted lines_not_shown findings_at_threshold]',
  ],
  [
    'an exchange did not settle, though its lines were seen elsewhere',
    { exchanges: [settled, unsettled('chunk-1.rest', 'exhausted', 'budget')] },
    'incomplete 3 model [budget_spent]',
  ],
  [
    'none settled: protocol',
    { exchanges: [unsettled('chunk-1', 'exhausted', 'protocol')] },
    'incomplete 3 none [protocol_exhausted lines_not_shown]',
  ],
  [
    'none settled: time',
    { exchanges: [unsettled('chunk-1', 'exhausted', 'time')] },
    'incomplete 3 none [time_spent lines_not_shown]',
  ],
  [
    'none settled: silent',
    { exchanges: [unsettled('chunk-1', 'exhausted', 'silent')] },
    'incomplete 3 none [agent_silent lines_not_shown]',
  ],
  [
    'none settled: budget',
    { exchanges: [unsettled('chunk-1', 'exhausted', 'budget')] },
    'incomplete 3 none [budget_spent lines_not_shown]',
  ],
  ...(
    [
      ['cli_missing', 'agent_missing'],
      ['auth', 'agent_login'],
      ['quota', 'agent_quota'],
      ['model', 'agent_model'],
      ['options', 'agent_options'],
      ['overloaded', 'agent_overloaded'],
      ['unreachable', 'agent_unreachable'],
      ['died', 'agent_died'],
      ['internal', 'internal_fault'],
    ] as const
  ).map(([cause, code]): [string, Partial<OutcomeInput>, string] => [
    `none settled: ${cause}`,
    { exchanges: [unsettled('chunk-1', 'unavailable', cause)] },
    `failed 4 none [${code}]`,
  ]),
  [
    'none settled: one exhausted, one unavailable',
    { exchanges: [unsettled('chunk-1', 'exhausted', 'time'), unsettled('chunk-2', 'unavailable', 'died')] },
    'failed 4 none [time_spent agent_died]',
  ],
  ['nothing was asked', { exchanges: [] }, 'failed 4 none [internal_fault]'],
  ['all settled, but lines were not shown', { exchanges: [half] }, 'incomplete 3 model [lines_not_shown]'],
  [
    'all settled with findings, but lines were not shown',
    { exchanges: [half], findings: [critical] },
    'incomplete 3 model [lines_not_shown findings_at_threshold]',
  ],
  [
    'static checks that were asked for',
    { exchanges: [scanned], advisorChosenBy: 'asked' },
    'clean 0 static [no_findings static_checks_only]',
  ],
  [
    'static checks that nobody asked for',
    { exchanges: [scanned] },
    'incomplete 3 static [no_model_reviewer]',
  ],
  [
    'static checks that nobody asked for, with findings',
    { exchanges: [scanned], findings: [critical] },
    'findings 1 static [findings_at_threshold static_checks_only]',
  ],
  [
    'static checks that nobody asked for, with a finding below the threshold',
    { exchanges: [scanned], findings: [minor] },
    'findings 0 static [findings_below_threshold static_checks_only]',
  ],
  [
    'static checks that nobody asked for, with findings that do not count',
    { exchanges: [scanned], findings: [finding({ verdict: 'rejected' })] },
    'incomplete 3 static [no_model_reviewer]',
  ],
  [
    'a rehearsal that was asked for',
    { exchanges: [exchange({ shown: all, assurance: 'none' })], advisorChosenBy: 'asked' },
    'clean 0 none [no_findings]',
  ],
  ['no file changed', { census: censusOf(), exchanges: [] }, 'nothing_reviewed 0 none [nothing_changed]'],
  [
    'no file changed, --fail-on-empty',
    { census: censusOf(), exchanges: [], fail_on_empty: true },
    'nothing_reviewed 3 none [nothing_changed]',
  ],
  [
    'every file skipped',
    { census: skippedOnly, exchanges: [] },
    'nothing_reviewed 0 none [nothing_reviewable]',
  ],
  [
    'every file skipped, --fail-on-empty',
    { census: skippedOnly, exchanges: [], fail_on_empty: true },
    'nothing_reviewed 3 none [nothing_reviewable]',
  ],
  [
    'every file made unreadable',
    { census: unreadableOnly, exchanges: [] },
    'nothing_reviewed 3 none [file_unreadable]',
  ],
  [
    'some skipped, the rest made unreadable',
    { census: censusOfText(nowBinary + lockChange), exchanges: [] },
    'nothing_reviewed 3 none [file_unreadable nothing_reviewable]',
  ],
  [
    'one file made unreadable beside one that was reviewed',
    { census: censusOfText(nowBinary + smallChange), exchanges: [smallExchange] },
    'incomplete 3 model [file_unreadable]',
  ],
  [
    'attributes that change the encoding of a reviewed file',
    { census: censusOfText(newEncoding + smallChange), exchanges: [smallExchange, encodingExchange] },
    'incomplete 3 model [file_unreadable]',
  ],
  [
    'more text than is reviewed',
    { census: longCensus, exchanges: [exchange({ shown: shownOf(longCensus, 'long.ts') })] },
    'incomplete 3 model [lines_not_shown text_too_long]',
  ],
  [
    'a secret in a change that is skipped',
    { census: skippedOnly, exchanges: [], findings: [critical] },
    'findings 1 none [findings_at_threshold]',
  ],
  [
    'a secret in a change that is made unreadable',
    { census: unreadableOnly, exchanges: [], findings: [critical] },
    'incomplete 3 none [file_unreadable findings_at_threshold]',
  ],
  [
    'a critical finding in a file outside the change',
    { findings: [outside] },
    'findings 0 model [findings_below_threshold]',
  ],
  [
    'the same, confirmed',
    { findings: [{ ...outside, verdict: 'confirmed' }] },
    'findings 1 model [findings_at_threshold]',
  ],
  ['--fail-on-empty with a file to review', { fail_on_empty: true }, 'clean 0 model [no_findings]'],
  [
    'cancelled before anything was asked',
    { cancelled: true, exchanges: [] },
    'incomplete 3 none [cancelled lines_not_shown]',
  ],
  [
    'cancelled half way',
    { cancelled: true, exchanges: [half] },
    'incomplete 3 model [cancelled lines_not_shown]',
  ],
  [
    'cancelled when everything had settled',
    { cancelled: true, findings: [critical] },
    'incomplete 3 model [cancelled findings_at_threshold]',
  ],
  [
    'cancelled when the agent had died',
    { cancelled: true, exchanges: [unsettled('chunk-1', 'unavailable', 'died')] },
    'failed 4 none [cancelled agent_died]',
  ],
  [
    'cancelled with nothing to review',
    { cancelled: true, census: skippedOnly, exchanges: [] },
    'incomplete 3 none [cancelled nothing_reviewable]',
  ],
  [
    'an exchange that does not say why it did not settle',
    { exchanges: [unsettled('chunk-1', 'exhausted', null), unsettled('chunk-2', 'unavailable', null)] },
    'failed 4 none [protocol_exhausted internal_fault]',
  ],
])('%s', (_title, changes, expected) => {
  expect(decide(changes)).toBe(expected);
});

test.each<[FailOn, readonly number[]]>([
  ['critical', [1, 0, 0]],
  ['important', [1, 1, 0]],
  ['minor', [1, 1, 1]],
  ['never', [0, 0, 0]],
])('--fail-on %s exits %j for a critical, an important, a minor finding', (fail_on, expected) => {
  const exits = [critical, important, minor].map(
    (one) => decideOutcome({ ...base, fail_on, findings: [one] }).exitCode,
  );
  expect(exits).toEqual(expected);
  expect(decide({ fail_on, findings: [critical] })).toMatch(/^findings /u);
});

test('--fail-on never only changes exit code 1 into 0', () => {
  const never = { fail_on: 'never' } as const;
  expect(decide({ ...never, exchanges: [half] })).toBe('incomplete 3 model [lines_not_shown]');
  expect(decide({ ...never, exchanges: [] })).toBe('failed 4 none [internal_fault]');
  expect(decide({ ...never, findings: [critical] })).toBe('findings 0 model [findings_below_threshold]');
});

test('unverified, confirmed and disputed findings count; rejected ones and those of the baseline do not', () => {
  const exits = (['unverified', 'confirmed', 'disputed', 'rejected'] as const).map(
    (verdict) => decideOutcome({ ...base, findings: [finding({ verdict })] }).outcome,
  );
  expect(exits).toEqual(['findings', 'findings', 'findings', 'clean']);
  expect(decide({ findings: [finding({ baseline: true })] })).toBe('clean 0 model [no_findings]');
  expect(decide({ findings: [finding({ baseline: false })] })).toBe(
    'findings 1 model [findings_at_threshold]',
  );
});

test('the sentences contain the numbers and the exchanges', () => {
  expect(texts({})).toEqual(['no_findings: every exchange settled, no finding counts']);
  expect(texts({ findings: [critical, important, minor, minor] })).toEqual([
    'findings_at_threshold: 1 finding critical, 4 in all',
  ]);
  expect(texts({ findings: [critical, important, minor], fail_on: 'important' })).toEqual([
    'findings_at_threshold: 2 findings important or worse, 3 in all',
  ]);
  expect(texts({ findings: [minor] })).toEqual(['findings_below_threshold: 1 finding, none critical']);
  expect(texts({ findings: [minor, minor], fail_on: 'important' })).toEqual([
    'findings_below_threshold: 2 findings, none important or worse',
  ]);
  expect(texts({ findings: [critical], fail_on: 'never' })).toEqual([
    'findings_below_threshold: 1 finding, which never fail this review',
  ]);
  expect(texts({ census: skippedOnly, exchanges: [] })).toEqual([
    'nothing_reviewable: nothing reviewable: 2 lock files',
  ]);
  expect(texts({ census: censusOf(), exchanges: [] })).toEqual(['nothing_changed: the change is empty']);
  expect(texts({ exchanges: [half] })).toEqual([
    'lines_not_shown: 2 changed lines of b.ts were in no exchange that settled',
  ]);
  expect(
    texts({
      exchanges: [
        exchange({ shown: all.map((range) => (range.path === 'a.ts' ? range : { ...range, end: 1 })) }),
        unsettled('chunk-2', 'exhausted', 'time'),
        unsettled('chunk-3', 'unavailable', 'auth'),
        { ...unsettled('chunk-4', 'exhausted', 'time'), detail: 'no event for 300 s' },
        { ...unsettled('chunk-5', 'exhausted', 'time'), detail: 'no event for 300 s' },
      ],
    }),
  ).toEqual([
    'time_spent: the time was over before a whole answer came (chunk-2, chunk-4, chunk-5); no event for 300 s',
    'agent_login: the advisor is not logged in (chunk-3)',
    'lines_not_shown: 1 changed line of b.ts was in no exchange that settled',
  ]);
  expect(texts({ exchanges: [scanned] })).toEqual([
    'no_model_reviewer: no model looked: no agent was found, and static checks alone found nothing that counts',
  ]);
  expect(texts({ exchanges: [scanned], advisorChosenBy: 'asked' })).toEqual([
    'no_findings: every exchange settled, no finding counts',
    'static_checks_only: static checks only, no model looked',
  ]);
  expect(texts({ census: unreadableOnly, exchanges: [] })).toEqual([
    'file_unreadable: the change makes b.js unreadable',
  ]);
  expect(
    texts({ census: longCensus, exchanges: [exchange({ shown: shownOf(longCensus, 'long.ts') })] }),
  ).toEqual([
    'lines_not_shown: 6 changed lines of long.ts were in no exchange that settled',
    'text_too_long: long.ts adds more text than the 64 KiB of a file that are reviewed',
  ]);
  expect(texts({ findings: [outside, finding({ severity: 'important', severity_inferred: true })] })).toEqual(
    [
      'findings_below_threshold: 2 findings, none critical; 1 in files outside the change, which decide nothing until confirmed; 1 without a severity of its own, taken as important',
    ],
  );
  expect(texts({ exchanges: [] })).toEqual(['internal_fault: no exchange was made about the change']);
  expect(texts({ cancelled: true })).toEqual(['cancelled: the review was cancelled']);
});

function found(...findings: readonly Finding[]): OutcomeInput {
  return { ...base, findings };
}

test('every outcome has its exit code', () => {
  expect(exitCodeOf('failed', found(critical))).toBe(4);
  expect(exitCodeOf('incomplete', found(critical))).toBe(3);
  expect(exitCodeOf('findings', found(critical))).toBe(1);
  expect(exitCodeOf('findings', found(minor))).toBe(0);
  expect(exitCodeOf('nothing_reviewed', found())).toBe(0);
  expect(exitCodeOf('nothing_reviewed', { ...found(), fail_on_empty: true })).toBe(3);
  expect(exitCodeOf('nothing_reviewed', { ...found(), census: unreadableOnly })).toBe(3);
  expect(exitCodeOf('clean', found())).toBe(0);
});

const anyExchange = fc
  .record({
    outcome: fc.constantFrom('settled' as const, 'exhausted' as const, 'unavailable' as const),
    cause: fc.constantFrom(...exchangeCauses),
    paths: fc.subarray(['a.ts', 'b.ts']),
    assurance: fc.constantFrom('model' as const, 'static' as const),
  })
  .map(({ outcome, cause, paths, assurance }) =>
    exchange({
      outcome,
      cause: outcome === 'settled' ? null : cause,
      shown: shownOf(census, ...paths),
      assurance,
    }),
  );
const anyFinding = fc
  .record({
    severity: fc.constantFrom(...severities),
    verdict: fc.constantFrom('unverified' as const, 'disputed' as const, 'rejected' as const),
    baseline: fc.boolean(),
  })
  .map(finding);
const anyInput = fc.record({
  fail_on: fc.constantFrom(...failOnGrades),
  fail_on_empty: fc.boolean(),
  census: fc.constant(census),
  exchanges: fc.array(anyExchange, { maxLength: 4 }),
  findings: fc.array(anyFinding, { maxLength: 4 }),
  advisorChosenBy: fc.constantFrom('asked' as const, 'auto' as const),
  rulesFault: fc.constantFrom(null, 'no grammar'),
  cancelled: fc.boolean(),
});

test.each([
  ['nothing', []],
  ['a finding', [finding()]],
])('without the rules a review that found %s is incomplete, and says why', (_, findings) => {
  const { outcome, exitCode, reasons } = decideOutcome({ ...base, findings, rulesFault: 'no grammar' });
  expect([outcome, exitCode]).toEqual(['incomplete', 3]);
  expect(reasons[0]).toEqual({
    code: 'rules_failed',
    text: 'the rules failed and looked at nothing: no grammar',
  });
});

test('clean requires that every exchange settled, every line was shown, no finding counts, and no fallback was silent', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { outcome, coverage, assurance, reasons, exitCode } = decideOutcome(input);
      const clean =
        !input.cancelled &&
        input.rulesFault === null &&
        input.exchanges.length > 0 &&
        input.exchanges.every((one) => one.outcome === 'settled') &&
        coverage.linesMissed === 0 &&
        input.findings.every((one) => one.verdict === 'rejected' || one.baseline === true) &&
        (assurance === 'model' || input.advisorChosenBy === 'asked');
      expect(outcome === 'clean').toBe(clean);
      expect(reasons.length).toBeGreaterThan(0);
      expect(reasonCodes).toEqual(expect.arrayContaining(reasons.map(({ code }) => code)));
      expect(exitCode === 1).toBe(outcome === 'findings' && exitCodeOf('findings', input) === 1);
      expect(outcome === 'failed').toBe(exitCode === 4);
      expect(outcome === 'incomplete').toBe(exitCode === 3);
    }),
    { numRuns: 500 },
  );
});

function hide(...hidden: readonly string[]): readonly string[] {
  return texts({
    census: takeCensus(parseUnifiedDiff(smallChange), everything, { hidden }),
    exchanges: [smallExchange],
  });
}

test('at most five hidden files are named, and the others are counted', () => {
  expect(hide('b.js')).toContain('file_hidden: ignore rules of the change itself hide b.js');
  const names = ['b.js', 'c.js', 'd.js', 'e.js', 'f.js'];
  expect(hide(...names)).toContain(`file_hidden: ignore rules of the change itself hide ${names.join(', ')}`);
  expect(hide(...names, 'g.js', 'h.js')).toContain(
    `file_hidden: ignore rules of the change itself hide ${names.join(', ')} and 2 more`,
  );
});

test('a file that moved out of a skipped place is named with what the review did not see', () => {
  const moved =
    'diff --git a/vendor/a.js b/src/a.js\nsimilarity index 100%\nrename from vendor/a.js\nrename to src/a.js\n';
  const reasons = texts({ census: takeCensus(parseUnifiedDiff(moved), everything), exchanges: [] });
  expect(reasons.join('\n')).toMatch(/src\/a\.js/);
  expect(reasons.join('\n')).not.toContain('the change makes src/a.js unreadable');
});

test.each([
  [1, '; 1 without a severity of its own, taken as important'],
  [2, '; 2 without a severity of their own, taken as important'],
])('%d inferred severities are counted in words', (count, words) => {
  const findings = Array.from({ length: count }, () => ({ ...critical, severity_inferred: true }));
  expect(texts({ findings }).join('\n')).toContain(words);
});

test('a cancelled review says so, and one without an exchange as well', () => {
  expect(texts({ cancelled: true, exchanges: [half] })).toContain('cancelled: the review was cancelled');
  expect(texts({ exchanges: [] })).toContain('internal_fault: no exchange was made about the change');
});
