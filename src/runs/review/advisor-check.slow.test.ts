/** The advisor checks its own findings in fresh threads if no lead takes part. */
import { beforeEach, describe, expect, test } from 'vitest';
import { answer, strengths, suggestions, verdict } from '../../../test/fixtures/review-answers.ts';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { checkLaws } from '../../events/laws.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import {
  rehearse,
  settledResult,
  type RehearsedOptions,
  type RehearsedReview,
} from '../rehearsed-review.test-helper.ts';

const before = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.cents;
  return sum;
}
`;
const own = '  return Math.round(sum);';
const contradiction = '  for (const item of items) sum += item.cents;';
const rejection = verdict('reject', `\`src/total.ts:3\`\n\`\`\`\n${contradiction}\n\`\`\``);

function issue(title: string, quote = own): string {
  return `1. **${title}** — \`src/total.ts:4\`\n   \`\`\`\n   ${quote}\n   \`\`\`\n   Why: it is.\n   Fix: return it.\n`;
}

function reviewed(issues: string): object {
  return {
    answer: answer(strengths, `## ISSUES\n${issues}\n`, suggestions),
    usage: { input: 10, output: 5, cost: 0.01 },
  };
}

const critical = reviewed(`### Critical\n${issue('The total is rounded')}`);

function checks(text: string, more: object = {}): object {
  const when = { role: 'advisor', work: 'verify' };
  return { when, answer: text, usage: { input: 7, output: 3, cost: 0.02 }, ...more };
}

let repository: ReturnType<typeof scratchRepository>;
let review: RehearsedReview;

beforeEach(() => {
  repository = scratchRepository();
  repository.write('src/total.ts', before);
  repository.commit('before');
  repository.write('src/total.ts', before.replace('return sum;', 'return Math.round(sum);'));
  repository.commit('after');
});

async function play(
  turns: readonly object[],
  options: Partial<RehearsedOptions> = {},
): Promise<ReviewResult> {
  review = await rehearse({ repository, ...options, turns });
  const departure = await review.drive();
  expect(checkLaws(review.journal())).toEqual([]);
  return settledResult(departure);
}

function begun(): readonly string[] {
  return review.calls().flatMap((line) => (line.startsWith('begin ') ? [line.replace('begin ', '')] : []));
}

test('a confirmed finding counts, and the result names its judge', async () => {
  const result = await play([critical, checks(verdict('confirm', 'None'))]);
  expect(result).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    second_opinion: { state: 'given', by: 'advisor', asked: ['F1'], same_family: false },
    findings: [{ verdict: 'confirmed', judged_by: 'advisor', evidence: 'They are whole cents.' }],
    usage_by: [{ agent: 'advisor', calls: 2, usage: { input: 17, output: 8 } }],
  });
  expect(review.journal().filter(({ type }) => type === 'finding.judged')).toMatchObject([
    { id: 'F1', verdict: 'confirmed', agent: { id: 'advisor' } },
  ]);
});

test('each Critical and Important finding is checked in its own thread', async () => {
  const issues = `### Critical\n${issue('The total is rounded')}\n### Important\n${issue('The sum is lost', contradiction)}\n### Minor\n${issue('A blank', 'export function total(items) {')}`;
  await play([reviewed(issues), checks(verdict('confirm', 'None'), { repeat: 'forever' })]);
  expect(begun().toSorted()).toEqual([
    'advisor_review-verify-F1-ask-1/1/1',
    'advisor_review-verify-F2-ask-1/1/1',
    'ex_chunk-1/1/1',
  ]);
  const sessions = review
    .journal()
    .flatMap((event) => (event.type === 'session.bound' ? [event.provider_session_id] : []));
  expect(new Set(sessions).size).toBe(3);
});

test('a rejection with a quotation that contradicts the finding holds', async () => {
  expect(await play([critical, checks(rejection)])).toMatchObject({
    outcome: 'clean',
    exit_code: 0,
    findings: [{ verdict: 'rejected', judged_by: 'advisor' }],
  });
});

test('a rejection without a quotation does not hold', async () => {
  expect(await play([critical, checks(verdict('reject', 'None'))])).toMatchObject({
    outcome: 'findings',
    findings: [{ verdict: 'disputed' }],
  });
});

describe('a rejection without the closing line of its prompt', () => {
  test('is requested once more', async () => {
    const result = await play([critical, checks(rejection, { closing: false }), checks(rejection)]);
    expect(result).toMatchObject({ outcome: 'clean', findings: [{ verdict: 'rejected' }] });
    expect(begun()).toHaveLength(3);
  });

  test('does not count', async () => {
    const result = await play([critical, checks(rejection, { closing: false, repeat: 2 })]);
    const evidence = 'the answer of the advisor could not be read: it rejects without the closing line';
    expect(result).toMatchObject({ outcome: 'findings', findings: [{ verdict: 'unverified', evidence }] });
  });
});

test('a confirmation needs no closing line: the finding counts anyway', async () => {
  const result = await play([critical, checks(verdict('confirm', 'None'), { closing: false })]);
  expect(result).toMatchObject({ outcome: 'findings', findings: [{ verdict: 'confirmed' }] });
  expect(begun()).toHaveLength(2);
});

test.each<[string, object, RegExp]>([
  ['dies', { fault: 'die', answer: undefined, usage: undefined }, /the script says die/],
  ['is cut', { fault: 'cut', answer: undefined, usage: undefined, repeat: 2 }, /the script says cut/],
  ['says nothing', { answer: ' ', closing: false, repeat: 2 }, /the advisor returned no text/],
])('a check that %s leaves the finding as it is, and the reasons name it', async (_what, turn, why) => {
  const result = await play([critical, checks(rejection, turn)]);
  expect(result).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    second_opinion: { state: 'missing' },
    findings: [{ verdict: 'unverified' }],
  });
  expect(result.reasons.at(-1)).toMatch(
    /^second_opinion_missing: the advisor gave no second opinion on 1 of 1 findings \(F1\): /,
  );
  expect(result.reasons.at(-1)).toMatch(why);
});

test('a review without Critical and Important findings costs one call', async () => {
  const result = await play([
    reviewed(`### Minor\n${issue('The total is rounded')}`),
    checks(verdict('confirm', 'None')),
  ]);
  expect(result.second_opinion).toMatchObject({ state: 'not_needed', by: 'advisor' });
  expect(begun()).toEqual(['ex_chunk-1/1/1']);
});

test('a quick review checks nothing, unless a check is requested', async () => {
  const turns = [critical, checks(verdict('confirm', 'None'))];
  const quick = { settings: { effort: 'quick' } } as const;
  expect((await play(turns, quick)).second_opinion).toMatchObject({
    state: 'off',
    detail: 'the effort is quick',
  });
  expect(begun()).toEqual(['ex_chunk-1/1/1']);
  const asked = { ...quick, verify: true, settings: { ...quick.settings, cache: false } };
  expect((await play(turns, asked)).second_opinion).toMatchObject({ state: 'given', by: 'advisor' });
});

test('the same finding is not checked twice', async () => {
  const turns = [{ ...critical, repeat: 'forever' }, checks(rejection, { repeat: 'forever' })];
  const former = await play(turns);
  const calls = review.calls().length;
  const result = await play(turns);
  expect(review.calls()).toHaveLength(calls);
  expect(result.findings).toEqual(former.findings);
  expect(result.second_opinion?.cached).toMatchObject([{ id: 'F1', run_id: former.run_id }]);
});
