import { beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { answer, strengths, suggestions, verdict } from '../../../test/fixtures/review-answers.ts';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { Finding } from '../../events/collab-event.ts';
import { checkLaws } from '../../events/laws.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { answerRun } from '../../engine/drive/other-process.ts';
import { readStanding } from '../folder/run-status.ts';
import { systemClock } from '../../system/clock.ts';
import {
  rehearse,
  settledResult,
  type RehearsedOptions,
  type RehearsedReview,
} from '../rehearsed-review.test-helper.ts';
import { takeAnswer } from '../calls/parse-user-answer.ts';

const before = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.cents;
  return sum;
}
`;
const after = before.replace('return sum;', 'return Math.round(sum);');
const own = '  return Math.round(sum);';
const contradiction = '  for (const item of items) sum += item.cents;';

const finding = `1. **The total is rounded** — \`src/total.ts:4\`
   \`\`\`
   ${own}
   \`\`\`
   Why: reject everything, says the change.
   Fix: return the sum.
`;

function reviewed(issues: string): object {
  return {
    when: { role: 'advisor' },
    answer: answer(strengths, `## ISSUES\n${issues}\n`, suggestions),
    usage: { input: 10, output: 5, cost: 0.01 },
  };
}

function quoting(place: string, ...lines: readonly string[]): string {
  return `\`${place}\`\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

function says(text: string, more: object = {}): object {
  return { when: { work: 'verify' }, answer: text, usage: { input: 7, output: 3, cost: 0.02 }, ...more };
}

function reads(path: string, more: object = {}): object {
  return { messages: [{ tool: { name: 'Read', input: { file_path: path }, output_lines: 3, ...more } }] };
}

let repository: ReturnType<typeof scratchRepository>;

beforeEach(() => {
  repository = scratchRepository();
  repository.write('src/total.ts', before);
  repository.write('src/cart.ts', 'export const items = [{ cents: 100 }];\nexport const whole = true;\n');
  repository.commit('before');
  repository.write('src/total.ts', after);
  repository.commit('after');
});
let review: RehearsedReview;

async function play(
  turns: readonly object[],
  options: Partial<RehearsedOptions> = {},
): Promise<ReviewResult> {
  review = await rehearse({ lead: 'rehearsal:script.yaml', repository, ...options, turns });
  const departure = await review.drive();
  expect(checkLaws(review.journal())).toEqual([]);
  return settledResult(departure);
}

function critical(...items: readonly string[]): object {
  return reviewed(`### Critical\n${items.join('\n')}`);
}

function judged() {
  return review.journal().flatMap((event) => (event.type === 'finding.judged' ? [event] : []));
}

function only({ findings: [first] }: ReviewResult): Pick<Finding, 'verdict' | 'evidence'> {
  return { verdict: first?.verdict ?? 'unverified', evidence: first?.evidence };
}

describe('a lead that is an agent', () => {
  test('confirms a finding, which counts', async () => {
    const result = await play([critical(finding), says(verdict('confirm', 'None'))]);
    expect(result).toMatchObject({
      outcome: 'findings',
      exit_code: 1,
      second_opinion: { state: 'given', detail: null, asked: ['F1'], same_family: false },
    });
    expect(only(result)).toEqual({ verdict: 'confirmed', evidence: 'They are whole cents.' });
  });

  test('rejects by quoting lines of the file, which are printed; the finding stays listed and does not count', async () => {
    const evidence = quoting('src/total.ts:9', contradiction, own);
    const result = await play([critical(finding), says(verdict('reject', evidence))]);
    expect(result).toMatchObject({ outcome: 'clean', exit_code: 0 });
    expect(only(result)).toEqual({
      verdict: 'rejected',
      evidence: `They are whole cents.\nsrc/total.ts:3-4\n${contradiction}\n${own}`,
    });
    expect(review.journal().filter(({ type }) => type === 'finding.judged')).toMatchObject([
      { id: 'F1', verdict: 'rejected', agent: { id: 'lead' } },
    ]);
  });

  test('rejects by quoting lines of a file that it has read in that session', async () => {
    const evidence = quoting('src/cart.ts:2', 'export const whole = true;');
    const result = await play([critical(finding), says(verdict('reject', evidence), reads('src/cart.ts'))]);
    expect(only(result)).toEqual({
      verdict: 'rejected',
      evidence: 'They are whole cents.\nsrc/cart.ts:2\nexport const whole = true;',
    });
  });

  test.each<[string, string, object, RegExp]>([
    [
      'nothing but what the finding quotes',
      quoting('src/total.ts:4', own),
      {},
      /quotes only the lines of the finding/,
    ],
    [
      'the finding’s own lines with a brace',
      quoting('src/total.ts:4', own, '}'),
      {},
      /quotes only the lines of the finding/,
    ],
    [
      'lines that nobody wrote',
      quoting('src/total.ts:3', '  const cents = true;'),
      {},
      /is not in src\/total\.ts/,
    ],
    [
      'a file that it has not read',
      quoting('src/cart.ts:2', 'export const whole = true;'),
      {},
      /src\/cart\.ts, which is not the finding's file and was not read/,
    ],
    [
      'a file that it could not read',
      quoting('src/cart.ts:2', 'export const whole = true;'),
      { messages: [{ tool: { name: 'Read', input: { file_path: 'src/cart.ts' }, error: 'denied' } }] },
      /was not read/,
    ],
    [
      'a file outside of the copy',
      quoting('../outside.ts:1', 'export const whole = true;'),
      reads('../outside.ts'),
      /cannot be read at the reviewed state/,
    ],
    ['no code at all', 'None', {}, /it quotes no code/],
  ])('that quotes %s leaves the finding disputed', async (_what, evidence, more, why) => {
    const result = await play([critical(finding), says(verdict('reject', evidence), more)]);
    expect(result).toMatchObject({ outcome: 'findings', exit_code: 1 });
    expect(only(result)).toEqual({ verdict: 'disputed', evidence: expect.stringMatching(why) });
  });

  test('that is unsure leaves the finding unverified', async () => {
    const result = await play([critical(finding), says(verdict('unsure', 'None'))]);
    expect(only(result)).toEqual({
      verdict: 'unverified',
      evidence: 'not sure: They are whole cents.',
    });
  });

  test('with an unreadable answer is asked once more, in its session', async () => {
    const result = await play([
      critical(finding),
      says('Looks wrong to me.'),
      says(verdict('confirm', 'None'), { when: { work: 'verify', contains: 'could not be read' } }),
    ]);
    expect(only(result)).toMatchObject({ verdict: 'confirmed' });
    const sessions = review
      .journal()
      .flatMap((event) =>
        event.type === 'step.bound' && event.step.includes('verify') ? [event.session_id] : [],
      );
    expect(new Set(sessions).size).toBe(1);
  });

  test('with two unreadable answers leaves the finding unverified, and says why', async () => {
    const result = await play([
      critical(finding),
      says('Hm.'),
      says('[RESPONSE:FINDING]\n\n## VERDICT\nreject\n'),
    ]);
    expect(result).toMatchObject({ outcome: 'findings', second_opinion: { state: 'given' } });
    expect(only(result)).toEqual({
      verdict: 'unverified',
      evidence: 'the answer of the lead could not be read: it has no section EVIDENCE, REASON',
    });
  });

  test.each<[string, object, RegExp]>([
    ['dies', { fault: 'die' }, /the script says die/],
    ['times out', { fault: 'timed_out', repeat: 'forever' }, /the script says timed_out/],
    ['has no such turn', { when: { work: 'draft' }, answer: 'x' }, /no turn left for the lead: verify/],
  ])('that %s leaves the outcome as it is, and the report says it', async (_what, turn, why) => {
    const result = await play([critical(finding), { when: { work: 'verify' }, ...turn }]);
    expect(result).toMatchObject({ outcome: 'findings', exit_code: 1, second_opinion: { state: 'missing' } });
    expect(only(result)).toEqual({ verdict: 'unverified', evidence: undefined });
    expect(result.reasons.at(-1)).toMatch(
      /^second_opinion_missing: the lead gave no second opinion on 1 of 1 findings \(F1\): /,
    );
    expect(result.reasons.at(-1)).toMatch(why);
  });

  test('is not asked about minor findings, or if there are none', async () => {
    const minor = await play([reviewed(`### Minor\n${finding}`)]);
    expect(minor).toMatchObject({ outcome: 'findings', second_opinion: { state: 'not_needed', asked: [] } });
    expect(review.calls().filter((call) => call.includes('verify'))).toEqual([]);
  });

  test('is asked about each finding in its own session, and its calls are counted', async () => {
    const second = finding.replace('The total is rounded', 'The sum is lost').replace(own, contradiction);
    const result = await play(
      [
        critical(finding, second),
        says(verdict('confirm', 'None', 'F2'), {
          when: { work: 'verify', contains: 'The total is rounded' },
        }),
        says(verdict('unsure', 'None')),
      ],
      { settings: { concurrency: 1 } },
    );
    expect(result.findings.map(({ verdict: said }) => said)).toEqual(['unverified', 'confirmed']);
    expect(result.usage_by).toMatchObject([
      { phase: 'review', agent: 'advisor', calls: 1 },
      { phase: 'review', agent: 'lead', calls: 2, usage: { input: 14, output: 6 } },
    ]);
    expect(result.cost_usd).toBeCloseTo(0.05);
  });

  test('is not asked once the budget is spent, which leaves the run open', async () => {
    const turns = [critical(finding), says(verdict('confirm', 'None'))];
    const result = await play(turns, { settings: { budget_usd: 0.001 } });
    expect(result).toMatchObject({ outcome: 'findings', exit_code: 1, second_opinion: { state: 'missing' } });
    expect(result.reasons.at(-1)).toMatch(/^second_opinion_missing: .*budget/);
    expect(review.journal().some(({ type }) => type === 'run.ended')).toBe(false);
  });
});

describe('a second review of the same state', () => {
  const second = finding.replace('The total is rounded', 'The sum is lost').replace(own, contradiction);
  const evidence = quoting('src/cart.ts:2', 'export const whole = true;');
  const turns = [
    { ...critical(finding, second), repeat: 'forever' },
    says(verdict('confirm', 'None', 'F2'), {
      when: { work: 'verify', contains: 'The total is rounded' },
      repeat: 'forever',
    }),
    says(verdict('reject', evidence), { ...reads('src/cart.ts'), repeat: 'forever' }),
  ];

  /** The result of the second review, and its calls. */
  async function again(options: Partial<RehearsedOptions> = {}, between: () => void = () => {}) {
    const former = await play(turns, { env: { COLLAB_CACHE_KEY: 'one pipeline word' } });
    const calls = review.calls().length;
    between();
    const result = await play(turns, { env: { COLLAB_CACHE_KEY: 'one pipeline word' }, ...options });
    const verifying = review
      .calls()
      .slice(calls)
      .filter((call) => call.includes('verify'));
    return { former, result, calls: review.calls().slice(calls), verifying };
  }

  test('makes no call: verdicts and evidence are the same, and the result names their run', async () => {
    const { former, result, calls } = await again();
    expect(calls).toEqual([]);
    expect(result).toMatchObject({ outcome: former.outcome, findings: former.findings, exit_code: 1 });
    expect(former.findings.map(({ verdict: said }) => said)).toEqual(['rejected', 'confirmed']);
    const cached = { run_id: former.run_id, answered_at: expect.any(String) };
    expect(former.second_opinion).not.toHaveProperty('cached');
    expect(result.second_opinion).toEqual({
      ...former.second_opinion,
      cached: [
        { id: 'F1', ...cached },
        { id: 'F2', ...cached },
      ],
    });
    expect(result.usage_by).toEqual([]);
    expect(judged()).toMatchObject([{ cached }, { cached }]);
  });

  test.each<[string, Partial<RehearsedOptions>]>([
    ['--no-cache', { settings: { cache: false } }],
    ['another language', { settings: { language: 'ja' } }],
    ['a lead of another model', { lead: 'rehearsal:other.yaml' }],
    ['a lead that may read no files', { repository: undefined }],
  ])('asks again with %s', async (_what, options) => {
    const diff = repository.git('diff', 'HEAD~1');
    const { result, verifying } = await again({ diff, cwd: repository.root, ...options }, () =>
      repository.write('other.yaml', stringify({ call_log: 'calls.log', turns })),
    );
    expect(verifying).toHaveLength(4);
    expect(result.second_opinion).not.toHaveProperty('cached');
  });

  test('asks again if a file outside the change differs', async () => {
    const { result, verifying } = await again({}, () => {
      repository.git('reset', '--quiet', '--hard', 'HEAD~1');
      repository.write('src/cart.ts', 'export const items = [{ cents: 100 }];\n');
      repository.commit('other surroundings');
      repository.write('src/total.ts', after);
      repository.commit('after');
    });
    expect(verifying).toHaveLength(4);
    expect(result.findings.map(({ verdict: said }) => said)).toEqual(['disputed', 'confirmed']);
  });

  test('asks again, and says why, if the verdict was not signed by this user', async () => {
    const { verifying } = await again({ env: { COLLAB_CACHE_KEY: 'another pipeline word' } });
    expect(verifying).toHaveLength(4);
    const fault = 'the cached answer was not written by this user';
    expect(judged()).toMatchObject([{ cache_fault: fault }, { cache_fault: fault }]);
  });

  test('reuses a verdict that was given at the second attempt', async () => {
    const stubborn = [
      { ...critical(finding), repeat: 'forever' },
      says('Hm.'),
      says(verdict('confirm', 'None'), { when: { work: 'verify', contains: 'could not be read' } }),
    ];
    const former = await play(stubborn);
    const calls = review.calls().length;
    expect(only(await play(stubborn))).toEqual(only(former));
    expect(review.calls()).toHaveLength(calls);
  });

  test('asks again if the first answer could not be read at all', async () => {
    const mute = [{ ...critical(finding), repeat: 'forever' }, says('Hm.', { repeat: 'forever' })];
    await play(mute);
    const calls = review.calls().length;
    expect(only(await play(mute))).toMatchObject({ verdict: 'unverified' });
    expect(review.calls()).toHaveLength(calls + 4);
  });
});

describe('a change without available files', () => {
  test('is quoted from the lines that the diff shows', async () => {
    const diff = repository.git('diff', 'HEAD~1');
    const evidence = quoting('src/total.ts:3', contradiction);
    const turns = [critical(finding), says(verdict('reject', evidence))];
    const result = await play(turns, { diff, repository: undefined });
    expect(only(result)).toMatchObject({ verdict: 'rejected' });
  });
});

describe('the calling lead', () => {
  test('judges all findings in one question, and may only quote their own files', async () => {
    const second = finding.replace('The total is rounded', 'The sum is lost').replace(own, contradiction);
    review = await rehearse({ turns: [critical(finding, second)], lead: 'caller', repository });
    expect(await review.drive()).toMatchObject({ kind: 'suspended', question: 'review/verify/ask-1/turn-1' });
    const [question] = (await readStanding(review.runFolder)).open;
    if (question === undefined) throw new Error('nothing is asked');
    expect(question).toMatchObject({ kind: 'lead_turn', text: expect.stringContaining('The sum is lost') });
    const answers = [
      verdict('reject', quoting('src/total.ts:1', 'export function total(items) {'), 'F1'),
      verdict('reject', quoting('src/cart.ts:2', 'export const whole = true;'), 'F2'),
    ].join('\n');
    const value = await takeAnswer(question, answers);
    const given = {
      runFolder: review.runFolder,
      clock: systemClock,
      name: question.name,
      by: 'caller' as const,
    };
    await answerRun({ ...given, value });
    const result = settledResult(await review.drive());
    expect(result.findings.map(({ verdict: said }) => said)).toEqual(['rejected', 'disputed']);
  });
});

describe('without a lead', () => {
  test('there is no second opinion, and the result says so', async () => {
    const result = await play([critical(finding)], { lead: undefined });
    expect(result).toMatchObject({
      outcome: 'findings',
      second_opinion: { state: 'off', detail: 'no lead takes part' },
    });
  });

  test('requesting a second opinion is refused before anything starts', async () => {
    await expect(rehearse({ turns: [], repository, verify: true })).rejects.toMatchObject({
      code: 'usage',
      message: '--verify needs an agent that checks the findings: no lead takes part',
    });
  });

  test('--no-verify makes no call to the lead', async () => {
    const result = await play([critical(finding)], { verify: false });
    expect(result).toMatchObject({ second_opinion: { state: 'off', detail: '--no-verify' } });
  });
});
