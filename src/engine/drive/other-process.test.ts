import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { journalEnds } from '../journal/first-and-last.ts';
import { journalFile, type RunEnvelope } from '../journal/journal.ts';
import { recordsSoFar } from '../journal/recorded-events.ts';
import type { OwnerReply } from '../lock/requests.ts';
import { embeddedStore } from '../store/embedded-store.ts';
import type { EngineStore } from '../store/engine-store.ts';
import { answerRun, failRun, noteRefusal, requestCancel, waitForOwner } from './other-process.ts';

const envelope: RunEnvelope = {
  runId: 'r1',
  conversationId: 'r1',
  tenantId: 'local',
  agent: { id: 'advisor', role: 'advisor', provider: 'codex' },
};

test('a run that no process could start ends with its error, once', async () => {
  const runFolder = join(scratchFolder(), 'r1');
  const run = { runFolder, clock: createManualClock(), envelope, kind: 'internal' } as const;
  const message = 'x'.repeat(100_000);
  expect(await failRun({ ...run, message })).toBe(true);
  expect(await failRun({ ...run, message: 'again' })).toBe(true);
  const records = recordsSoFar(runFolder);
  expect(records).toMatchObject([
    { type: 'run.started', name: 'codex' },
    { type: 'error', kind: 'internal', message, retryable: false },
    { type: 'run.ended', status: 'error', reasons: [], errors: [message] },
  ]);
  // The last line is longer than what is read at first.
  expect(journalEnds(runFolder)).toEqual({ first: records[0], last: records[2] });
});

test('a damaged journal is an error with its line, and not a run without records', async () => {
  const runFolder = join(scratchFolder(), 'r1');
  const run = { runFolder, clock: createManualClock(), envelope, kind: 'internal' } as const;
  await failRun({ ...run, message: 'no' });
  appendFileSync(journalFile(runFolder), 'damaged\n{}\n');
  expect(() => recordsSoFar(runFolder)).toThrow(
    expect.objectContaining({
      code: 'journal_corrupt',
      message: expect.stringMatching(/journal\.jsonl:4 ./),
    }),
  );
});

test('a run that is canceled without a process lasts from its first record to its last', async () => {
  const { runFolder, clock } = startedRun(0, 1500, 4000);
  expect(await requestCancel({ runFolder, clock })).toBe('ended');
  const count = recordsSoFar(runFolder).length;
  expect(recordsSoFar(runFolder).at(-1)).toMatchObject({
    type: 'run.ended',
    status: 'cancelled',
    reasons: ['cancelled'],
    duration_ms: 4000,
  });
  expect(await requestCancel({ runFolder, clock })).toBe('ended');
  expect(recordsSoFar(runFolder)).toHaveLength(count);
});

test('a refused answer is recorded while no process drives the run, and its question stays open', async () => {
  const { runFolder, clock } = startedRun(0);
  await noteRefusal({ runFolder, clock }, 'not a verdict');
  expect(recordsSoFar(runFolder).slice(-1)).toMatchObject([
    { type: 'error', kind: 'protocol', message: 'not a verdict', retryable: true },
  ]);
});

test('a request to an owner that starts or leaves is sent again until it is taken', async () => {
  const passing = { ok: false, message: 'the run is starting', passing: true } as const;
  const { runFolder, clock, store, asked } = ownedRun([passing, passing, { ok: true, state: 'running' }]);
  const asking = requestCancel({ runFolder, clock, store });
  await clock.advance(0);
  await clock.advance(49);
  expect(asked).toEqual(['cancel']);
  await clock.advance(1);
  await clock.advance(50);
  expect([await asking, asked]).toEqual(['asked', ['cancel', 'cancel', 'cancel']]);
});

test('a refusal of the owner is an error with its reason', async () => {
  const { store, ...run } = ownedRun([{ ok: false, message: 'this run cannot be canceled' }]);
  await expect(requestCancel({ ...run, store })).rejects.toMatchObject({
    code: 'input',
    message: "The run's process refused: this run cannot be canceled",
  });
});

test('waiting for an owner lasts over its start, until it leaves or the signal fires', async () => {
  const passing = { ok: false, message: 'the run is starting', passing: true } as const;
  const { clock, asked, ...run } = ownedRun([passing, null]);
  const waiting = waitForOwner({ ...run, clock }, new AbortController().signal);
  await clock.advance(0);
  await clock.advance(50);
  expect([await waiting, asked]).toEqual(['free', ['wait', 'wait']]);
  const left = { ...ownedRun([null]), clock };
  expect(await waitForOwner(left, AbortSignal.abort())).toBe('still_driven');
});

test.each([
  ['a name that is no question', 'other', 'yes', 'The run has no question other'],
  [
    'a value of another form',
    'gate',
    7,
    'The answer to gate is invalid: it is not one of the offered answers',
  ],
  ['a value of another form', 'turn', 7, 'expected string'],
  ['a question with an answer', 'old', 'yes', 'The question old is already answered'],
])('an answer to %s is refused: %s', async (_, name, value, message) => {
  const { runFolder, clock } = startedRun(0);
  const count = recordsSoFar(runFolder).length;
  await expect(answerRun({ runFolder, clock, name, value, by: 'user' })).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining(message),
  });
  expect(recordsSoFar(runFolder)).toHaveLength(count);
});

/** A run with three questions, and a record at each of these milliseconds of it. */
function startedRun(...atMs: readonly number[]) {
  const runFolder = join(scratchFolder(), 'r1');
  const clock = createManualClock();
  const schema = { type: 'string' };
  const question = { type: 'question.asked', text: '', schema } as const;
  const records = journalRecords([
    { type: 'run.started', name: 'codex', tools: [], cwd: '/' },
    { ...question, name: 'gate', kind: 'gate' },
    { ...question, name: 'turn', kind: 'lead_turn' },
    { ...question, name: 'old', kind: 'gate' },
    { type: 'question.answered', name: 'old', by: 'user', value: 'yes' },
    ...atMs.map((ms) => {
      const ts = timestampOf(createManualClock(clock.now() + ms));
      return { type: 'title', title: '', ts } as const;
    }),
  ]);
  mkdirSync(runFolder);
  writeFileSync(journalFile(runFolder), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return { runFolder, clock };
}

/** A run of another process, which replies so, one after the other. */
function ownedRun(replies: readonly (OwnerReply | null)[]) {
  const left = [...replies];
  const asked: string[] = [];
  const store: EngineStore = {
    ...embeddedStore,
    claim: () => Promise.reject(new CollabError('locked', 'Another collab is working on this run')),
    async ask(_runFolder, { type }) {
      asked.push(type);
      return left.shift() ?? null;
    },
  };
  return { runFolder: scratchFolder(), clock: createManualClock(), store, asked };
}
