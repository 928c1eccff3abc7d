import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CollabEvent } from '../../events/collab-event.ts';
import { checkLaws } from '../../events/laws.ts';
import { version } from '../../version.ts';
import { systemClock } from '../../system/clock.ts';
import { requestCancel } from '../../engine/drive/other-process.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { rehearse, settledResult, smallDiff, wholeAnswer } from '../rehearsed-review.test-helper.ts';
import { standing } from '../folder/run-status.ts';

function exchangeEvents(events: readonly CollabEvent[]): readonly string[] {
  return events.filter(({ type }) => type.startsWith('exchange.')).map(({ type }) => type);
}

test('a whole answer makes a review clean, and the laws hold', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  const result = settledResult(await review.drive());
  expect(result).toMatchObject({ state: 'ended', outcome: 'clean', exit_code: 0, strengths: ['Small.'] });
  expect(result).toHaveProperty('collab_version', version);
  expect(review.result()).toEqual(result);
  expect(checkLaws(review.journal())).toEqual([]);
  expect(review.journal().at(-1)).toMatchObject({ type: 'run.ended', status: 'success', outcome: 'clean' });
});

test('X001-13.1,3 id, attempt and tag of an exchange stand beside the message', async () => {
  const review = await rehearse({ turns: [{ answer: 'Looks fine.' }, { answer: wholeAnswer }] });
  await review.drive();
  const sent = review.journal().filter((event) => event.type === 'exchange.sent');
  expect(sent).toMatchObject([
    { exchange_id: 'ex_chunk-1', attempt: 1, tag: '[REQUEST:REVIEW]' },
    { exchange_id: 'ex_chunk-1', attempt: 2, tag: '[REQUEST:REVIEW]' },
  ]);
});

test('R001-13 an answer without a marker is asked for again, and the repaired one counts', async () => {
  const review = await rehearse({ turns: [{ answer: 'Looks fine.' }, { answer: wholeAnswer }] });
  const result = settledResult(await review.drive());
  expect(result.outcome).toBe('clean');
  expect(result.exchanges[0]?.attempts.map(({ rejected }) => rejected)).toEqual(['marker_absent', undefined]);
  expect(exchangeEvents(review.journal())).toEqual([
    'exchange.sent',
    'exchange.rejected',
    'exchange.sent',
    'exchange.received',
    'exchange.ended',
  ]);
});

test('an answer in two parts says from which attempts its sections are', async () => {
  const [first = '', rest = ''] = wholeAnswer.split('## SUGGESTIONS');
  const review = await rehearse({
    turns: [{ answer: first }, { answer: `[RESPONSE:REVIEW]\n\n## SUGGESTIONS${rest}` }],
  });
  expect(settledResult(await review.drive()).outcome).toBe('clean');
  expect(review.journal().find(({ type }) => type === 'exchange.received')).toMatchObject({
    merged_from: [1, 2],
  });
});

test('the receipt names the prompt with the lines, not the one that requested the structure', async () => {
  const review = await rehearse({ turns: [{ answer: 'Looks fine.' }, { answer: wholeAnswer }] });
  const result = settledResult(await review.drive());
  const [first] = review.journal().filter((event) => event.type === 'exchange.sent');
  expect(result.coverage.files[0]?.receipts).toEqual([
    expect.objectContaining({ exchange: 'chunk-1', prompt_digest: first?.prompt_ref }),
  ]);
});

test('every reason starts with its code and contains the message and the remedy', async () => {
  const turns = [{ fault: 'unavailable', code: 'quota', message: 'used up.\n Buy more.' }];
  const result = settledResult(await (await rehearse({ turns })).drive());
  expect(result.reasons).toEqual([
    "agent_quota: the advisor's quota is used up (chunk-1); used up. Buy more; Change the rehearsal script.",
  ]);
});

test('a reverse request is declined with the reason, and the exchange still settles', async () => {
  const review = await rehearse({
    turns: [{ answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currency?\n' }, { answer: wholeAnswer }],
  });
  expect(settledResult(await review.drive()).outcome).toBe('clean');
  expect(exchangeEvents(review.journal())).toEqual([
    'exchange.sent',
    'exchange.asked_back',
    'exchange.answered_back',
    'exchange.received',
    'exchange.ended',
  ]);
  const answered = review.journal().find((event) => event.type === 'exchange.answered_back');
  expect(answered).toMatchObject({ by: 'policy', declined: expect.stringContaining('no lead takes part') });
});

describe('the obstacle decides the outcome', () => {
  test('an advisor that never answers in form: incomplete', async () => {
    const review = await rehearse({ turns: [{ answer: 'Looks fine.', repeat: 'forever' }] });
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
    expect(result.reasons[0]).toContain('protocol_exhausted');
    expect(result.exchanges[0]?.attempts).toHaveLength(3);
  });

  test('an advisor that stays overloaded: failed', async () => {
    const review = await rehearse({ turns: [{ fault: 'overloaded', repeat: 'forever' }] });
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({ outcome: 'failed', exit_code: 4 });
    expect(result.exchanges[0]?.attempts).toHaveLength(4);
  });

  test('the run’s time limit ends a call in flight', async () => {
    const review = await rehearse({ turns: [{ fault: 'never' }], settings: { time_limit_ms: 30 } });
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
    expect(result.reasons[0]).toContain('time_spent');
  });
});

test('a missing login leaves the run open, and a later drive can succeed', async () => {
  const review = await rehearse({ turns: [{ fault: 'unavailable', code: 'auth' }, { answer: wholeAnswer }] });
  expect(settledResult(await review.drive())).toMatchObject({ outcome: 'failed', exit_code: 4 });
  expect(review.journal().some(({ type }) => type === 'run.ended')).toBe(false);
  expect(await standing(review.runFolder)).toBe('ended');
  expect(settledResult(await review.drive())).toMatchObject({ outcome: 'clean', exit_code: 0 });
  expect(review.journal().at(-1)).toMatchObject({ type: 'run.ended', outcome: 'clean' });
  expect(checkLaws(review.journal())).toEqual([]);
});

const twoFiles = smallDiff + smallDiff.replaceAll('total.ts', 'sum.ts');
/** Two chunks, one after the other. */
const oneByOne = { chunk_tokens: 80, concurrency: 1 };

describe('waits', () => {
  test('a review that reaches its time limit stays open, and a later drive asks only what is unanswered', async () => {
    const clock = createManualClock();
    const review = await rehearse({
      diff: twoFiles,
      turns: [{ answer: wholeAnswer }, { fault: 'never' }],
      settings: { ...oneByOne, time_limit_ms: 2000 },
      clock,
    });
    let begun = 0;
    const onEvent = ({ type }: CollabEvent): void => {
      if (type === 'turn.started' && (begun += 1) === 2) void clock.advance(2000);
    };
    const first = settledResult(await review.drive(undefined, onEvent));
    expect(first).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
    expect(first.reasons[0]).toMatch(/^time_spent: .*the run's time limit is over \(2 s\)/);
    expect(review.journal().some(({ type }) => type === 'run.ended')).toBe(false);
    review.rewrite([{ answer: wholeAnswer, repeat: 'forever' }]);
    const calls = review.calls().length;
    expect(review.calls()).toContainEqual(expect.stringContaining('chunk-1'));
    expect(settledResult(await review.drive())).toMatchObject({ outcome: 'clean', exit_code: 0 });
    expect(
      review
        .calls()
        .slice(calls)
        .filter((line) => line.includes('chunk-1')),
    ).toEqual([]);
    expect(checkLaws(review.journal())).toEqual([]);
  });

  test('a person may think for longer than the time limit', async () => {
    const clock = createManualClock();
    const review = await rehearse({
      turns: [{ answer: '[CONSULT:CLAUDE:VERIFICATION]\n\nIntegers, then?\n' }, { answer: wholeAnswer }],
      settings: { time_limit_ms: 2000 },
      lead: 'caller',
      clock,
      answerer: async () => {
        await clock.advance(7_200_000);
        return { value: { VERDICT: 'approve', REASON: 'It holds.' }, by: 'user' };
      },
    });
    expect(settledResult(await review.drive())).toMatchObject({ outcome: 'clean', exit_code: 0 });
  });

  test.each([
    [{ fault: 'timed_out', limit: 'first_byte', repeat: 'forever' }, 'incomplete', 3, 'agent_silent'],
    [{ fault: 'overloaded', unreachable: true, repeat: 'forever' }, 'failed', 4, 'agent_unreachable'],
  ])(
    'a model behind %j is given up for all chunks, and a later drive asks for all of them',
    async (...row) => {
      const [turn, outcome, exitCode, code] = row;
      const review = await rehearse({ diff: twoFiles, turns: [turn], settings: oneByOne });
      const first = settledResult(await review.drive());
      expect(first).toMatchObject({ outcome, exit_code: exitCode });
      expect(first.reasons[0]).toMatch(new RegExp(`^${code}: .*\\(chunk-1, chunk-2\\)`));
      expect(review.calls().filter((line) => line.includes('chunk-2'))).toEqual([]);
      review.rewrite([{ answer: wholeAnswer, repeat: 'forever' }]);
      expect(settledResult(await review.drive())).toMatchObject({ outcome: 'clean', exit_code: 0 });
      expect(checkLaws(review.journal())).toEqual([]);
    },
  );
});

test('a run that has ended returns its result without a call', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  const first = settledResult(await review.drive());
  const calls = review.calls();
  expect(settledResult(await review.drive())).toEqual(first);
  expect(review.calls()).toEqual(calls);
});

test('an interrupted run says so, and continues with the lost call', async () => {
  const review = await rehearse({ turns: [{ fault: 'never' }] });
  const stop = new AbortController();
  const departure = await review.drive(stop.signal, ({ type }) => {
    if (type === 'step.bound') stop.abort();
  });
  expect(departure).toEqual({ kind: 'interrupted', reason: 'signal' });
  expect(review.result()).toMatchObject({ state: 'interrupted', outcome: 'failed', exit_code: 4 });
  expect(review.journal().some(({ type }) => type === 'run.ended')).toBe(false);
  review.rewrite([{ answer: wholeAnswer }]);
  expect(settledResult(await review.drive())).toMatchObject({ outcome: 'clean' });
});

test('a canceled run is over for good', async () => {
  const review = await rehearse({ turns: [{ fault: 'never' }] });
  const cancelled: Promise<unknown>[] = [];
  const departure = await review.drive(undefined, ({ type }) => {
    if (type !== 'step.bound') return;
    cancelled.push(requestCancel({ runFolder: review.runFolder, clock: systemClock }));
  });
  expect(await Promise.all(cancelled)).toEqual(['asked']);
  expect(settledResult(departure)).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
  expect(review.journal().at(-1)).toMatchObject({ type: 'run.ended', status: 'cancelled' });
  expect(checkLaws(review.journal())).toEqual([]);
});

describe('a secret of the change', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const diff = `diff --git a/a.sh b/a.sh
--- a/a.sh
+++ b/a.sh
@@ -1,1 +1,2 @@
 echo
+export GITHUB_TOKEN=${secret}
`;

  test('is in no prompt, event or result', async () => {
    const answer = wholeAnswer.replace('- Small.', `- It holds ${secret}.`);
    const review = await rehearse({ diff, turns: [{ answer }] });
    const result = settledResult(await review.drive());
    expect(JSON.stringify([result, review.journal()])).not.toContain(secret);
    const blobs = join(review.runFolder, 'blobs');
    for (const blob of readdirSync(blobs))
      expect(readFileSync(join(blobs, blob), 'utf8')).not.toContain(secret);
    const rule = 'github_token';
    const nowhere = { path: null, side: null, line: null };
    expect(result.covered_secrets).toEqual([
      { in: 'change', rule, path: 'a.sh', side: 'new', line: 2, exchange: null },
      { in: 'answer', rule, ...nowhere, exchange: 'chunk-1' },
    ]);
  });

  test('is found by its rules, and quoted masked', async () => {
    const review = await rehearse({ diff, turns: [], advisor: 'static_review' });
    const result = settledResult(await review.drive());
    expect(result.findings).toMatchObject([
      { severity: 'critical', path: 'a.sh', start_line: 2, placement: 'exact' },
    ]);
    expect(JSON.stringify(result)).not.toContain(secret);
  });
});
