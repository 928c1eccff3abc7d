/** Lets a process act on a run that it does not drive: through the owner's socket, or by taking the free lock. */
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent, CollabEventOf, ErrorKind, EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { AnswerFromOutside } from './perform-options.ts';
import { readJournal } from '../journal/journal-reader.ts';
import { journalFile, type RecordDraft, type RunEnvelope } from '../journal/journal.ts';
import type { OwnerReply, OwnerRequest } from '../lock/requests.ts';
import { createOpenings } from './open-records.ts';
import { embeddedStore } from '../store/embedded-store.ts';
import type { EngineStore } from '../store/engine-store.ts';
import { openSteps, recall, type QuestionMemory, type RunMemory } from './run-state.ts';

export interface OutsideOptions {
  readonly runFolder: string;
  readonly clock: Clock;
  /** Default: the folder itself. */
  readonly store?: EngineStore;
}

export interface AnswerOptions extends OutsideOptions, AnswerFromOutside {
  readonly name: string;
}

type Json = z.infer<ReturnType<typeof z.json>>;
export type RunEnded = CollabEventOf<'run.ended'>;

/** Returns the last record; null if the run has not ended. */
export function readOutcome(runFolder: string): RunEnded | null {
  return recall(readJournal(journalFile(runFolder)).events).ended;
}

/** Records an answer, durably. @throws CollabError `input` when nothing asks for it or the value does not fit */
export async function answerRun({ name, value, by, ...run }: AnswerOptions): Promise<void> {
  const { runFolder, store = embeddedStore } = run;
  const known = (await store.recall(runFolder)).questions.get(name);
  const answer = fittingAnswer(name, known, value);
  const request = { type: 'answer', name, value: answer, by } as const;
  await throughOwnerOrClaim(run, request, (memory) => {
    if (memory.ended !== null) throw new CollabError('input', 'The run has ended', { details: { name } });
    fittingAnswer(name, memory.questions.get(name), value);
    return [{ body: { type: 'question.answered', name, by, value: answer }, turn: memory.turn }];
  });
}

/** Records a refused answer when no process drives the run; its questions stay open. */
export async function noteRefusal(options: OutsideOptions, message: string): Promise<void> {
  await writeWhileFree(options, ({ turn }) => [
    { body: { type: 'error', kind: 'protocol', message, retryable: true }, turn },
  ]);
}

/**
 * Ends the run for good: its owner settles it, or, if no process drives it, its record is closed here. With an envelope,
 * also a run that was never driven.
 */
export async function requestCancel(
  options: OutsideOptions & { readonly envelope?: RunEnvelope },
): Promise<'asked' | 'ended'> {
  const replied = await throughOwnerOrClaim(options, { type: 'cancel' }, (memory, past) =>
    memory.ended === null ? [...startOf(memory, options.envelope), ...cancellation(memory, past)] : [],
  );
  return replied ? 'asked' : 'ended';
}

export interface FailOptions extends OutsideOptions {
  /** The envelope of a run that was never started. */
  readonly envelope: RunEnvelope;
  readonly kind: ErrorKind;
  readonly message: string;
}

/**
 * Ends a run that cannot continue when no process drives it; its last error gives the reason. Returns false if a process
 * drives it.
 */
export async function failRun({ envelope, kind, message, ...options }: FailOptions): Promise<boolean> {
  const error: EventBody = { type: 'error', kind, message, retryable: false };
  return writeWhileFree({ ...options, envelope }, (memory, past) => {
    if (memory.ended !== null) return [];
    const { turn } = memory;
    const closed = closers(memory, past);
    const ended = endedBody(past, turn, { status: 'error', reasons: [], errors: [message] });
    return [...startOf(memory, envelope), ...closed, { body: error, turn }, { body: ended, turn }];
  });
}

/** Returns the first record of a run that was never driven. */
function startOf({ started, turn }: RunMemory, envelope?: RunEnvelope): readonly RecordDraft[] {
  if (started || envelope === undefined) return [];
  return [{ body: { type: 'run.started', name: envelope.agent.provider, tools: [], cwd: '' }, turn }];
}

/** Resolves when no process drives the run, or when `signal` fires. */
export async function waitForOwner(
  { runFolder, clock, store = embeddedStore }: OutsideOptions,
  signal: AbortSignal,
): Promise<'free' | 'still_driven'> {
  while ((await store.ask(runFolder, { type: 'wait' }, signal)) !== null) {
    // The owner is still starting, and takes no requests yet.
    await clock.sleep(passingMs);
  }
  return signal.aborted ? 'still_driven' : 'free';
}

/** Returns true if the owner accepted the request, false if the run was free and `record` was written instead. */
async function throughOwnerOrClaim(
  options: OutsideOptions & { readonly envelope?: RunEnvelope },
  request: OwnerRequest,
  record: (memory: RunMemory, past: readonly CollabEvent[]) => readonly RecordDraft[],
): Promise<boolean> {
  const { runFolder, store = embeddedStore } = options;
  for (;;) {
    const reply = await store.ask(runFolder, request);
    if (reply !== null && !isPassing(reply)) return accepted(reply);
    if (await writeWhileFree(options, record)) return false;
    if (reply !== null) await options.clock.sleep(passingMs);
  }
}

/** Until an owner that is starting or leaving is asked again. */
const passingMs = 50;

function isPassing(reply: OwnerReply): boolean {
  return !reply.ok && reply.passing === true;
}

function accepted(reply: OwnerReply): true {
  if (!reply.ok) throw new CollabError('input', `The run's process refused: ${reply.message}`);
  return true;
}

/** Returns false if another process took the run in the meantime. */
async function writeWhileFree(
  {
    runFolder,
    clock,
    store = embeddedStore,
    envelope = null,
  }: OutsideOptions & { readonly envelope?: RunEnvelope | null },
  record: (memory: RunMemory, past: readonly CollabEvent[]) => readonly RecordDraft[],
): Promise<boolean> {
  const claim = await store.claim({ runFolder, clock, envelope }).catch(nullWhenLocked);
  if (claim === null) return false;
  try {
    claim.append(record(recall(claim.past), claim.past));
    await claim.durable();
  } finally {
    await claim.release();
  }
  return true;
}

export function nullWhenLocked(error: unknown): null {
  if (error instanceof CollabError && error.code === 'locked') return null;
  throw error;
}

function cancellation(memory: RunMemory, past: readonly CollabEvent[]): readonly RecordDraft[] {
  const { turn } = memory;
  const ended = endedBody(past, turn, { status: 'cancelled', reasons: ['cancelled'], errors: [] });
  return [...closers(memory, past), { body: ended, turn }];
}

/** Returns the ends of everything that was opened. */
function closers(memory: RunMemory, past: readonly CollabEvent[]): readonly RecordDraft[] {
  const openings = createOpenings(past);
  const { turn } = memory;
  const lost = openSteps(memory).flatMap(([step, { attempts }]) =>
    openings.abandon({ type: 'step.abandoned', step, attempt: attempts }, turn),
  );
  return [...lost, ...openings.exchangeClosers(turn)];
}

type EndedBody = Extract<EventBody, { type: 'run.ended' }>;

function endedBody(
  past: readonly CollabEvent[],
  turns: number,
  how: Pick<EndedBody, 'status' | 'reasons' | 'errors'>,
): EndedBody {
  const times = [past[0], past.at(-1)].map((event) => Date.parse(event?.ts ?? ''));
  const [startedAt = 0, lastAt = 0] = times;
  return {
    type: 'run.ended',
    ...how,
    outcome: null,
    result: null,
    duration_ms: Math.max(0, Math.round(lastAt - startedAt) || 0),
    turns,
  };
}

function fittingAnswer(name: string, question: QuestionMemory | undefined, value: unknown): Json {
  if (question === undefined) {
    throw new CollabError('input', `The run has no question ${name}`, { details: { name } });
  }
  if (question.answered !== null) {
    throw new CollabError('input', `The question ${name} is already answered`, { details: { name } });
  }
  const parsed = z.fromJSONSchema(schemaOf(question)).safeParse(value);
  if (parsed.success) return z.json().parse(value);
  // The pattern of a gate does not help a reader; its question lists the accepted words.
  const why =
    question.asked.kind === 'gate' ? 'it is not one of the offered answers' : z.prettifyError(parsed.error);
  throw new CollabError('input', `The answer to ${name} is invalid: ${why}`, {
    hint: 'collab show prints the question and the form of its answer',
    details: { name, schema: question.asked.schema },
    cause: parsed.error,
  });
}

/** A question without a schema accepts any answer. */
function schemaOf({ asked: { schema } }: QuestionMemory) {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : true;
}
