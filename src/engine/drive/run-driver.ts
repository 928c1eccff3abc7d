/**
 * One drive of a run, from taking it to leaving it. After the run has left, nothing is written, and nothing that the
 * machine waits for settles.
 */
import type { CollabEvent } from '../../events/collab-event.ts';
import { Deferred } from '../../system/deferred.ts';
import type { PerformOptions } from './perform-options.ts';
import type { Departure, RunContext } from '../port.ts';
import { Ledger } from './record-writer.ts';
import type { OwnerReply, OwnerRequest } from '../lock/requests.ts';
import { PendingQuestions } from './pending-questions.ts';
import type { Claim } from '../store/engine-store.ts';
import { openSteps } from './run-state.ts';
import { Steps } from './steps.ts';

const hasLeft: OwnerReply = { ok: false, message: 'the run has left this process', passing: true };

/** Time for the effects to finish after their signal, before the next owner may take the run. */
const windUpMs = 5000;

export class RunDriver<Result> {
  readonly #options: PerformOptions<Result>;
  readonly #lost: AbortSignal | null;
  readonly #ledger: Ledger;
  readonly #steps: Steps;
  readonly #questions: PendingQuestions;
  readonly #machineStop = new AbortController();
  readonly #effectsStop = new AbortController();
  readonly #departure = new Deferred<Departure<Result>>();
  /** True once it is too late for a signal. */
  #settling = false;
  /** True once it is too late for a question: the end of a canceled run may need more than a tick. */
  #cancelling = false;

  constructor(options: PerformOptions<Result>, claim: Claim) {
    const onFault = (error: unknown): void => this.#fail(error);
    const onLockLost = (): void => this.#leave({ kind: 'interrupted', reason: 'lock_lost' });
    options.recorded?.begin(claim.past);
    const onEvent = (event: CollabEvent): void => {
      options.recorded?.push(event);
      options.onEvent?.(event);
    };
    const ledger = new Ledger({ claim, onEvent, onLockLost, onFault });
    const { signal } = this.#effectsStop;
    const { clock, answerer } = options;
    const { blobs, lost } = claim;
    const onStepOver = (): void => this.#suspendWhenIdle();
    this.#options = options;
    this.#lost = lost;
    this.#ledger = ledger;
    this.#steps = new Steps({ ledger, blobs, clock, signal, onFault, onStepOver });
    this.#questions = new PendingQuestions({ ledger, answerer, signal, onFault });
  }

  async drive(): Promise<Departure<Result>> {
    const { signal, body } = this.#options;
    if (signal.aborted) return { kind: 'interrupted', reason: 'signal' };
    const interrupt = (): void => {
      if (!this.#settling) this.#leave({ kind: 'interrupted', reason: 'signal' });
    };
    const lose = (): void => this.#leave({ kind: 'interrupted', reason: 'lock_lost' });
    signal.addEventListener('abort', interrupt);
    this.#lost?.addEventListener('abort', lose);
    this.#takeUp();
    const context = this.#contextAt('');
    void Promise.resolve()
      .then(() => body(context))
      .then((result) => this.#settle(result))
      .catch((error: unknown) => this.#fail(error));
    try {
      return await this.#departure.promise;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#lost?.removeEventListener('abort', lose);
      await this.#windUp();
    }
  }

  /** Answers a request from another process. */
  async reply(request: OwnerRequest): Promise<OwnerReply> {
    if (request.type === 'wait') return new Deferred<never>().promise;
    // A sealed ledger takes no record, and has none that would not become durable.
    if (this.#ledger.sealed) return hasLeft;
    if (request.type === 'cancel') {
      const { onCancel } = this.#options;
      if (onCancel === undefined) return { ok: false, message: 'this run cannot be canceled' };
      this.#cancelling = true;
      onCancel();
    }
    if (request.type === 'answer' && !this.#questions.answer(request.name, request)) return hasLeft;
    if ((await this.#ledger.durable()) === false) return hasLeft;
    return { ok: true, state: this.#idle() ? 'waiting' : 'running' };
  }

  #takeUp(): void {
    const ledger = this.#ledger;
    if (!ledger.memory.started) ledger.write([ledger.draft(this.#options.start)]);
    if (ledger.memory.ended !== null) return;
    ledger.write(
      openSteps(ledger.memory).flatMap(([step, { attempts }]) => ledger.abandoning(step, attempts, [])),
    );
  }

  #contextAt(prefix: string): RunContext {
    return {
      signal: this.#machineStop.signal,
      step: (name, input, perform, how) =>
        this.#untilLeft(() => this.#steps.step(`${prefix}${name}`, input, perform, how)),
      child: (name, body) => this.#untilLeft(() => body(this.#contextAt(`${prefix}${name}/`))),
      receive: (name, question) =>
        this.#untilLeft(() => {
          const answer = this.#questions.ask(`${prefix}${name}`, question);
          this.#suspendWhenIdle();
          return answer;
        }),
    };
  }

  #settle(result: Result): void {
    const ledger = this.#ledger;
    if (ledger.sealed) return;
    this.#settling = true;
    const ended = ledger.memory.ended === null ? this.#options.settle(result) : null;
    ledger.write([
      ...this.#steps.abandoningAll(),
      ...(ended?.status === 'cancelled' ? ledger.closingExchanges() : []),
      ...(ended === null ? [] : [ledger.draft(ended)]),
    ]);
    ledger.whenDurable(() => this.#leave({ kind: 'settled', result }));
  }

  #suspendWhenIdle(): void {
    // A step's end may make the machine start the next one within this tick.
    setImmediate(() => {
      const question = this.#questions.unanswerable();
      if (question === null || !this.#maySuspend()) return;
      this.#ledger.whenDurable(() => this.#maySuspend() && this.#leave({ kind: 'suspended', question }));
    });
  }

  #maySuspend(): boolean {
    return this.#idle() && !this.#cancelling && !this.#settling;
  }

  #idle(): boolean {
    return this.#steps.runningCount === 0 && this.#questions.waiting();
  }

  #leave(departure: Departure<Result>): void {
    if (this.#ledger.sealed) return;
    this.#stop();
    this.#departure.resolve(departure);
  }

  #fail(error: unknown): void {
    if (this.#ledger.sealed) return;
    this.#stop();
    this.#departure.reject(error);
  }

  /** Stops the machine first, then the effects, in one tick: any delay between them can cause a false `failed`. */
  #stop(): void {
    this.#ledger.seal();
    this.#machineStop.abort();
    this.#effectsStop.abort();
  }

  /** Settles like `work`, but never after the run has left. */
  #untilLeft<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#ledger.sealed) return;
      work().then(
        (value) => this.#ledger.sealed || resolve(value),
        (error: unknown) => this.#ledger.sealed || reject(error),
      );
    });
  }

  async #windUp(): Promise<void> {
    if (this.#steps.runningCount === 0) return;
    const enough = new AbortController();
    const limit = this.#options.clock.sleep(windUpMs, enough.signal).catch(() => undefined);
    await Promise.race([this.#steps.woundUp(), limit]);
    enough.abort();
  }
}
