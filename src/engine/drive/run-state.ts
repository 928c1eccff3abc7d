/** A run's memory of its own past: a fold over the journal. */
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';

export interface RunMemory {
  started: boolean;
  ended: CollabEventOf<'run.ended'> | null;
  /** Model turns so far. */
  turn: number;
  readonly steps: Map<string, StepMemory>;
  readonly questions: Map<string, QuestionMemory>;
}

export interface StepMemory {
  attempts: number;
  inputDigest: string;
  /** Started, and neither ended nor abandoned. */
  open: boolean;
  /** The agent session of the last attempt that was bound and then lost. */
  lostSessionId: string | null;
  /**
   * The value of `lostSessionId` when the last attempt started: a refused attempt is not lost, but the one before it
   * still is.
   */
  lostBefore: string | null;
  record: CollabEventOf<'step.ended'> | null;
}

export interface QuestionMemory {
  readonly asked: CollabEventOf<'question.asked'>;
  answered: CollabEventOf<'question.answered'> | null;
}

export function createMemory(): RunMemory {
  return { started: false, ended: null, turn: 0, steps: new Map(), questions: new Map() };
}

export function recall(events: readonly CollabEvent[]): RunMemory {
  const memory = createMemory();
  for (const event of events) rememberStep(memory, event);
  return memory;
}

/** Adds one record to `memory`, for live and replayed runs alike. */
export function rememberStep(memory: RunMemory, event: CollabEvent): void {
  memory.turn = Math.max(memory.turn, event.turn);
  if (event.type === 'run.started') memory.started = true;
  if (event.type === 'run.ended') memory.ended = event;
  if (event.type === 'question.asked') memory.questions.set(event.name, { asked: event, answered: null });
  if (event.type === 'question.answered') rememberAnswer(memory, event);
  if (event.type === 'step.begun') rememberBegun(memory, event);
  if (event.type === 'step.bound') rememberBound(memory, event);
  if (event.type === 'step.ended') rememberEnded(memory, event);
  if (event.type === 'step.abandoned') rememberAbandoned(memory, event);
}

/** Returns the steps whose process ended in the middle. */
export function openSteps(memory: RunMemory): readonly (readonly [string, StepMemory])[] {
  return [...memory.steps].filter(([, step]) => step.open);
}

export function waitingQuestions(memory: RunMemory): readonly QuestionMemory[] {
  return [...memory.questions.values()].filter(({ answered }) => answered === null);
}

function rememberAnswer(memory: RunMemory, event: CollabEventOf<'question.answered'>): void {
  const question = memory.questions.get(event.name);
  if (question !== undefined) question.answered = event;
}

/** A session for another input answers another question: it is dropped. */
function rememberBegun(memory: RunMemory, event: CollabEventOf<'step.begun'>): void {
  const before = memory.steps.get(event.step);
  const lost = before?.inputDigest === event.input_digest ? before.lostSessionId : null;
  memory.steps.set(event.step, {
    attempts: event.attempt,
    inputDigest: event.input_digest,
    open: true,
    lostSessionId: lost,
    lostBefore: lost,
    record: null,
  });
}

function rememberBound(memory: RunMemory, event: CollabEventOf<'step.bound'>): void {
  const step = memory.steps.get(event.step);
  if (step !== undefined) step.lostSessionId = event.session_id;
}

function rememberEnded(memory: RunMemory, event: CollabEventOf<'step.ended'>): void {
  const step = memory.steps.get(event.step);
  if (step === undefined) return;
  step.open = false;
  step.record = event;
}

function rememberAbandoned(memory: RunMemory, event: CollabEventOf<'step.abandoned'>): void {
  const step = memory.steps.get(event.step);
  if (step === undefined) return;
  step.open = false;
  if (event.reason === 'refused') step.lostSessionId = step.lostBefore;
}
