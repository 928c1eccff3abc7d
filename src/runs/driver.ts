/**
 * One drive of a run: remembers, performs, leaves. All that is written passes through `#write`; once the run has left,
 * nothing is written and nothing that the machine waits for settles any more (DESIGN §5).
 */
import { CollabError } from '../errors/collab-error.ts';
import { createEmitter, type AttemptEmitter } from './attempt-emitter.ts';
import { Deferred } from './deferred.ts';
import { digestOf } from './digest.ts';
import type { DriveOptions } from './drive-options.ts';
import type { Departure, Question, RunContext, StepAttempt, StepResult } from './engine-port.ts';
import { isCommitPoint, type Draft, type Journal } from './journal.ts';
import type { OwnerReply, OwnerRequest } from './lock-requests.ts';
import { createOpenings, type Openings } from './openings.ts';
import { PendingQuestions } from './pending-questions.ts';
import type { RunLock } from './run-lock.ts';
import { openSteps, recall, remember, type RunMemory } from './run-memory.ts';
import { loadJson, storeValue, type Stored } from './step-value.ts';

/** How long the effects of a run may take to wind up after their signal, before the next owner is let in. */
const windUpMs = 5000;

type Perform<Value> = (attempt: StepAttempt) => Promise<StepResult<Value>>;

interface RunningStep {
  readonly attempt: number;
  readonly emitter: AttemptEmitter;
  readonly performing: Promise<unknown>;
}

export class RunDriver<Result> {
  readonly #options: DriveOptions<Result>;
  readonly #journal: Journal;
  readonly #lock: RunLock;
  readonly #memory: RunMemory;
  readonly #openings: Openings;
  readonly #questions: PendingQuestions;
  readonly #running = new Map<string, RunningStep>();
  readonly #machineStop = new AbortController();
  readonly #effectsStop = new AbortController();
  readonly #departure = new Deferred<Departure<Result>>();
  #left = false;
  /** From here on a signal comes too late. */
  #settling = false;

  constructor(options: DriveOptions<Result>, journal: Journal, lock: RunLock) {
    this.#options = options;
    this.#journal = journal;
    this.#lock = lock;
    this.#memory = recall(journal.past);
    this.#openings = createOpenings(journal.past);
    this.#questions = new PendingQuestions({
      memory: this.#memory,
      answerer: options.answerer,
      signal: this.#effectsStop.signal,
      write: (body) => this.#write([this.#draft(body)]),
      fail: (error) => this.#fail(error),
    });
  }

  async drive(): Promise<Departure<Result>> {
    const { signal, body } = this.#options;
    const interrupt = (): void => {
      if (!this.#settling) this.#leave({ kind: 'interrupted', reason: 'signal' });
    };
    if (signal.aborted) return { kind: 'interrupted', reason: 'signal' };
    signal.addEventListener('abort', interrupt);
    this.#recover();
    const context = this.#contextAt('');
    void Promise.resolve()
      .then(() => body(context))
      .then((result) => this.#settle(result))
      .catch((error: unknown) => this.#fail(error));
    try {
      return await this.#departure.promise;
    } finally {
      signal.removeEventListener('abort', interrupt);
      await this.#windUp();
    }
  }

  /** Answers a request of another process. */
  async reply(request: OwnerRequest): Promise<OwnerReply> {
    if (request.type === 'wait') {
      await this.#departure.promise.catch(() => null);
      return { ok: true, state: 'left' };
    }
    if (request.type === 'cancel') {
      const { onCancel } = this.#options;
      if (onCancel === undefined) return { ok: false, message: 'this run takes no cancel' };
      onCancel();
    }
    if (request.type === 'answer') this.#questions.answer(request.name, request);
    return { ok: true, state: this.#idle() ? 'waiting' : 'running' };
  }

  #recover(): void {
    if (!this.#memory.started) this.#write([this.#draft(this.#options.start)]);
    if (this.#memory.ended !== null) return;
    const lost = openSteps(this.#memory).flatMap(([step, { attempts }]) => this.#abandon(step, attempts, []));
    if (lost.length > 0) this.#write(lost);
  }

  #contextAt(prefix: string): RunContext {
    return {
      signal: this.#machineStop.signal,
      step: (name, input, perform) => this.#untilLeft(() => this.#step(prefix + name, input, perform)),
      child: (name, body) => this.#untilLeft(() => body(this.#contextAt(`${prefix}${name}/`))),
      receive: (name, question) => this.#untilLeft(() => this.#receive(prefix + name, question)),
    };
  }

  async #step<Value>(step: string, input: unknown, perform: Perform<Value>): Promise<Value> {
    const inputDigest = digestOf(input);
    const known = this.#memory.steps.get(step);
    const record = known?.record ?? null;
    if (known !== undefined && record !== null) {
      const json = this.#orFail(() => this.#recalled(step, known.inputDigest === inputDigest, record));
      return JSON.parse(json);
    }
    this.#orFail(() => this.#refuseAfterTheEnd(step));
    if (this.#running.has(step)) throw new CollabError('internal', `The step ${step} is already running`);

    const number = (known?.attempts ?? 0) + 1;
    const begun = { type: 'step.begun', step, attempt: number, input_digest: inputDigest } as const;
    if (!this.#write([this.#draft(begun)])) throw this.#hasLeft();
    const emitter = this.#emitterOf(step);
    const performing = callAsync(() => perform(this.#attempt(step, number, emitter)));
    this.#running.set(step, { attempt: number, emitter, performing });
    try {
      const result = await performing;
      return this.#end(step, number, emitter, result);
    } catch (error) {
      this.#write(this.#abandon(step, number, emitter.take()));
      throw error;
    } finally {
      this.#running.delete(step);
      this.#suspendWhenIdle();
    }
  }

  /** Never seen by the machine: `#untilLeft` holds it back. */
  #hasLeft(): CollabError {
    return new CollabError('cancelled', `The run ${this.#options.envelope.runId} has left this process`);
  }

  #end<Value>(step: string, number: number, emitter: AttemptEmitter, result: StepResult<Value>): Value {
    const { value, remember: remembered = true } = result;
    if (this.#left) throw this.#hasLeft();
    const stored = this.#orFail(() => storeValue(this.#options.runFolder, value));
    const ended = { type: 'step.ended', step, attempt: number, ...stored } as const;
    this.#write(
      remembered
        ? [...this.#closed(step, emitter.take()), this.#draft(ended)]
        : this.#abandon(step, number, emitter.take(), 'refused'),
    );
    // Live and replayed steps answer alike: with what JSON keeps of the value.
    return JSON.parse(loadJson(this.#options.runFolder, stored));
  }

  #recalled(step: string, sameInput: boolean, record: Stored): string {
    if (sameInput) return loadJson(this.#options.runFolder, record);
    throw new CollabError('replay_mismatch', `The step ${step} is asked for something else than before`, {
      hint: 'The run was begun with other code or other input; start a new one.',
      details: { step },
    });
  }

  #refuseAfterTheEnd(name: string): void {
    if (this.#memory.ended === null) return;
    const { runId } = this.#options.envelope;
    throw new CollabError('usage', `The run ${runId} has ended; there is nothing to go on with`, {
      hint: 'collab show prints what it found.',
      details: { run_id: runId, name },
    });
  }

  #attempt(step: string, number: number, emitter: AttemptEmitter): StepAttempt {
    return {
      number,
      lostSessionId: this.#memory.steps.get(step)?.lostSessionId ?? null,
      signal: this.#effectsStop.signal,
      emit: (event, about) => {
        if (!this.#left) emitter.emit(event, about);
      },
      // Unlike what the machine waits for, an effect must come to its end when the run has left.
      bind: async (sessionId) => {
        const bound = this.#draft({ type: 'step.bound', step, session_id: sessionId });
        if (!this.#write([...emitter.take(), bound])) throw this.#hasLeft();
      },
    };
  }

  #emitterOf(step: string): AttemptEmitter {
    return createEmitter({
      step,
      clock: this.#options.clock,
      turn: this.#memory.turn,
      beginTurn: () => (this.#memory.turn += 1),
      write: (drafts) => this.#write(drafts),
    });
  }

  async #receive<Value>(name: string, question: Question<Value>): Promise<Value> {
    const remembered = this.#memory.questions.get(name)?.answered ?? null;
    if (remembered === null) this.#orFail(() => this.#refuseAfterTheEnd(name));
    const answer = this.#questions.ask(name, question);
    this.#suspendWhenIdle();
    return answer;
  }

  /** Ends what the attempt left open, then the attempt. */
  #abandon(step: string, attempt: number, last: readonly Draft[], reason?: 'refused'): readonly Draft[] {
    const body = {
      type: 'step.abandoned',
      step,
      attempt,
      ...(reason === undefined ? {} : { reason }),
    } as const;
    return [...this.#closed(step, last), this.#draft(body)];
  }

  #closed(step: string, last: readonly Draft[]): readonly Draft[] {
    for (const draft of last) this.#openings.see(draft);
    return [...last, ...this.#openings.closersOf(step)];
  }

  #settle(result: Result): void {
    if (this.#left) return;
    this.#settling = true;
    const ended = this.#memory.ended === null ? this.#options.settle(result) : null;
    const drafts = [...this.#running].flatMap(([step, { attempt, emitter }]) =>
      this.#abandon(step, attempt, emitter.take()),
    );
    if (ended?.status === 'cancelled') drafts.push(...this.#openings.exchangeClosers(this.#memory.turn));
    if (ended !== null) drafts.push(this.#draft(ended));
    this.#write(drafts);
    this.#leave({ kind: 'settled', result });
  }

  #suspendWhenIdle(): void {
    // A step's end may make the machine begin the next one within this tick.
    setImmediate(() => {
      const question = this.#questions.unanswerable();
      if (question !== null && this.#idle()) this.#leave({ kind: 'suspended', question });
    });
  }

  #idle(): boolean {
    return this.#running.size === 0 && this.#questions.waiting();
  }

  /** The machine first, then the effects, both in this tick: anything between them is enough for a false `failed`. */
  #leave(departure: Departure<Result>): void {
    if (this.#left) return;
    this.#left = true;
    this.#machineStop.abort();
    this.#effectsStop.abort();
    this.#departure.resolve(departure);
  }

  #fail(error: unknown): void {
    if (this.#left) return;
    this.#left = true;
    this.#machineStop.abort();
    this.#effectsStop.abort();
    this.#departure.reject(error);
  }

  /** For faults of the record and the disk: they stop the run, whatever the machine would make of them. */
  #orFail<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Settles as `work` does, but never after the run has left. */
  #untilLeft<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#left) return;
      work().then(
        (value) => this.#left || resolve(value),
        (error: unknown) => this.#left || reject(error),
      );
    });
  }

  /** False where the run has left, before or because of this. */
  #write(drafts: readonly Draft[]): boolean {
    if (this.#left || drafts.length === 0) return !this.#left;
    if (drafts.some(isCommitPoint) && !this.#lock.checkStillOurs()) {
      this.#leave({ kind: 'interrupted', reason: 'lock_lost' });
      return false;
    }
    try {
      for (const draft of drafts) this.#openings.see(draft);
      for (const event of this.#journal.append(drafts)) {
        remember(this.#memory, event);
        this.#options.onEvent?.(event);
      }
    } catch (error) {
      this.#fail(error);
    }
    return !this.#left;
  }

  #draft(body: Draft['body']): Draft {
    return { body, turn: this.#memory.turn };
  }

  async #windUp(): Promise<void> {
    const effects = [...this.#running.values()].map(({ performing }) => performing);
    if (effects.length === 0) return;
    const enough = new AbortController();
    const limit = this.#options.clock.sleep(windUpMs, enough.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled(effects), limit]);
    enough.abort();
  }
}

/** A `perform` that throws before its first `await` counts like one that rejects. */
async function callAsync<Value>(work: () => Promise<Value>): Promise<Value> {
  return work();
}
