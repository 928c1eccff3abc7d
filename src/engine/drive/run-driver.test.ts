import { expect, test } from 'vitest';
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import { runEnvelope } from '../journal/open-journal.test-helper.ts';
import type { PerformOptions } from './perform-options.ts';
import { RunDriver } from './run-driver.ts';
import type { RunContext, StepAttempt } from '../port.ts';
import type { RecordDraft } from '../journal/journal.ts';
import type { Claim } from '../store/engine-store.ts';
import { Deferred } from '../../system/deferred.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';

test('the last events of a step are written together with its end and with what that closes', async () => {
  const { writes } = await drive((context) =>
    context.step('ask', {}, async (attempt) => {
      attempt.emit({ type: 'title', title: 'early' });
      await tick();
      attempt.emit({ type: 'agent.started', agent_id: 'sub', agent_type: 'Explore', description: '' });
      attempt.emit({ type: 'text.delta', block_id: 'b', text: 'one ' });
      attempt.emit({ type: 'text.delta', block_id: 'b', text: 'two' });
      attempt.emit({ type: 'title', title: 'last' });
      return { value: 'answer' };
    }),
  );
  expect(writes).toEqual([
    ['run.started'],
    ['step.begun'],
    ['title'],
    ['agent.started', 'text.delta', 'title', 'agent.ended', 'step.ended'],
    ['run.ended'],
  ]);
});

test('a bound session is written after earlier events, and before the call continues', async () => {
  const order: string[] = [];
  const { writes } = await drive(
    (context) =>
      context.step('ask', {}, async (attempt) => {
        attempt.emit({ type: 'title', title: 'before' });
        await attempt.bind('session');
        order.push('the call');
        return { value: null };
      }),
    (types) => order.push(types.join(' ')),
  );
  expect(writes).toHaveLength(5);
  expect(order).toEqual([
    'run.started',
    'step.begun',
    'title step.bound',
    'the call',
    'step.ended',
    'run.ended',
  ]);
});

test('events of an agent after the end of its step are dropped', async () => {
  const { writes } = await drive(async (context) => {
    const attempts: StepAttempt[] = [];
    await context.step('ask', {}, (attempt) => {
      attempts.push(attempt);
      return Promise.resolve({ value: null });
    });
    attempts[0]?.emit({ type: 'title', title: 'late' });
    await tick();
    return null;
  });
  expect(writes.flat()).not.toContain('title');
});

test('a drive whose signal has fired already writes nothing and begins nothing', async () => {
  let begun = false;
  const { departure, writes } = await drive(async () => (begun = true), undefined, {
    signal: AbortSignal.abort(),
  });
  expect([departure, writes, begun]).toEqual([{ kind: 'interrupted', reason: 'signal' }, [], false]);
});

test('a signal while the end is stored is too late: the run has settled', async () => {
  const interruption = new AbortController();
  const stored = new Deferred<void>();
  let isEnding = false;
  const { departure } = await drive(
    async () => 'whole',
    (types) => {
      if (!types.includes('run.ended')) return;
      isEnding = true;
      setImmediate(() => {
        interruption.abort();
        stored.resolve();
      });
    },
    { signal: interruption.signal },
    { durable: () => (isEnding ? stored.promise : null) },
  );
  expect(departure).toEqual({ kind: 'settled', result: 'whole' });
});

test('a run that the store says is lost leaves without an end', async () => {
  const lost = new AbortController();
  const { departure, writes } = await drive(
    (context) =>
      context.step('ask', {}, ({ signal }) => {
        lost.abort();
        return Promise.reject(signal.reason);
      }),
    undefined,
    {},
    { lost: lost.signal },
  );
  expect(departure).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
  expect(writes.flat()).toEqual(['run.started', 'step.begun']);
});

test('a value that is not remembered is recorded as a refusal, and the next drive asks again', async () => {
  const events: CollabEvent[] = [];
  const { departure } = await drive(
    (context) => context.step('ask', {}, async () => ({ value: 'no budget', remember: false })),
    undefined,
    { onEvent: (event) => void events.push(event) },
  );
  expect(departure).toEqual({ kind: 'settled', result: 'no budget' });
  expect(events.map(({ type }) => type)).toEqual([
    'run.started',
    'step.begun',
    'step.abandoned',
    'run.ended',
  ]);
  expect(events[2]).toMatchObject({ step: 'ask', attempt: 1, reason: 'refused' });
});

test('two parallel steps of one name are reported as a bug', async () => {
  const driving = drive((context) =>
    Promise.all([context.step('ask', {}, later), context.step('ask', {}, later)]),
  );
  await expect(driving).rejects.toMatchObject({
    code: 'internal',
    message: 'The step ask is already running',
  });
});

test('effects get five seconds to finish before the run is released', async () => {
  const clock = createManualClock();
  const interruption = new AbortController();
  let gone = false;
  const driving = drive(
    (context) => {
      const asking = context.step('ask', {}, () => new Promise<never>(() => undefined));
      setImmediate(() => interruption.abort());
      return asking;
    },
    undefined,
    { clock, signal: interruption.signal },
  ).then(() => (gone = true));
  while (!interruption.signal.aborted) await tick();
  await clock.advance(4999);
  expect(gone).toBe(false);
  await clock.advance(1);
  await driving;
});

async function drive<Result>(
  body: (context: RunContext) => Promise<Result>,
  onWrite?: (types: readonly string[]) => void,
  changed: Partial<PerformOptions<Result>> = {},
  claimed: Partial<Claim> = {},
) {
  const writes: (readonly string[])[] = [];
  const claim = fakeClaim((types) => {
    writes.push(types);
    onWrite?.(types);
  });
  Object.assign(claim, claimed);
  const options = {
    runFolder: '/nowhere',
    envelope: runEnvelope({ agent }),
    clock: createManualClock(),
    signal: new AbortController().signal,
    start: started,
    body,
    settle: () => ended,
    ...changed,
  };
  const departure = await new RunDriver<Result>(options, claim).drive();
  return { departure, writes };
}

function fakeClaim(onWrite: (types: readonly string[]) => void): Claim {
  let seq = 0;
  return {
    past: [],
    blobs: { put: (text) => text, get: (name) => name },
    lost: null,
    isOurs: () => true,
    durable: () => null,
    onRequest: () => undefined,
    release: () => Promise.resolve(),
    append(drafts) {
      onWrite(drafts.map(({ body }) => body.type));
      return drafts.map((draft) => toEvent(draft, (seq += 1)));
    },
  };
}

function toEvent({ body, turn }: RecordDraft, seq: number): CollabEvent {
  return journalRecord(body, { seq, agent, turn });
}

const agent = { id: 'lead', role: 'lead', provider: 'p' } as const;
const started = { type: 'run.started', name: 'collab', tools: [], cwd: '/' } satisfies EventBody;
const ended = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 0,
  turns: 0,
} satisfies EventBody;

async function later() {
  await tick();
  return { value: null };
}

function tick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
