import { expect, test } from 'vitest';
import { Deferred } from '../../system/deferred.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { Question, RunContext } from '../../engine/port.ts';
import type { Clock } from '../../system/clock.ts';
import { countWorkOnly, createDeadline } from './deadline.ts';

function startDeadline(limitMs: number | null, clock: Clock) {
  const deadline = createDeadline(limitMs, clock);
  deadline.start();
  return deadline;
}

test('a deadline passes when its time is over, and names its length', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(90_000, clock);
  await clock.advance(89_999);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.ended()).toEqual({
    kind: 'refused',
    cause: 'time',
    message: "the run's time limit is over (1 min 30 s)",
    made: true,
  });
});

test('a person who thinks for hours uses none of the time', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(1000, clock);
  await clock.advance(400);
  const asked = new Deferred<string>();
  const answer = deadline.pausedFor(() => asked.promise);
  await clock.advance(7_200_000);
  expect(deadline.signal.aborted).toBe(false);
  asked.resolve('yes');
  expect(await answer).toBe('yes');
  await clock.advance(599);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
});

test('two parallel questions pause it until both are answered', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(1000, clock);
  const [first, second] = [new Deferred<void>(), new Deferred<void>()];
  const answers = [deadline.pausedFor(() => first.promise), deadline.pausedFor(() => second.promise)];
  await clock.advance(5000);
  first.resolve();
  await answers[0];
  await clock.advance(5000);
  expect(deadline.signal.aborted).toBe(false);
  second.resolve();
  await answers[1];
  await clock.advance(1000);
  expect(deadline.signal.aborted).toBe(true);
});

test('a failed question resumes the clock', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(1000, clock);
  await expect(deadline.pausedFor(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  await clock.advance(1000);
  expect(deadline.signal.aborted).toBe(true);
});

test('an extension adds to the remaining time', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(1000, clock);
  await clock.advance(900);
  deadline.extend(500);
  await clock.advance(599);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
});

test('without a limit, and after its end, it never passes', async () => {
  const clock = createManualClock();
  const [unlimited, stopped] = [startDeadline(null, clock), startDeadline(1000, clock)];
  stopped.stop();
  await clock.advance(10 ** 9);
  expect([unlimited.signal.aborted, stopped.signal.aborted]).toEqual([false, false]);
});

test('a question of a run does not use its time, however deep it is nested', async () => {
  const clock = createManualClock();
  const deadline = startDeadline(1000, clock);
  const asked = new Deferred<unknown>();
  const context: RunContext = {
    signal: deadline.signal,
    step: () => Promise.reject(new Error('no step here')),
    child: (_name, body) => body(context),
    receive: async (_name, question) => question.parse(await asked.promise),
  };
  const question: Question<string> = { kind: 'gate', text: 'Go on?', schema: {}, parse: String };
  const answer = countWorkOnly(context, deadline).child('design', (phase) => phase.receive('gate', question));
  await clock.advance(5000);
  expect(deadline.signal.aborted).toBe(false);
  asked.resolve('approve');
  expect(await answer).toBe('approve');
});

test('no time counts before the start', async () => {
  const clock = createManualClock();
  const deadline = createDeadline(1000, clock);
  await clock.advance(5000);
  deadline.start();
  await clock.advance(999);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
});
