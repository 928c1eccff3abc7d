/** The steps of a drive: answered from the record, or performed and recorded. */
import { CollabError } from '../../errors/collab-error.ts';
import { createEmitter, type AttemptEmitter } from './event-emitter.ts';
import { digestOf } from '../../text/digest.ts';
import type { StepAttempt, StepOptions, StepResult } from '../port.ts';
import type { RecordDraft } from '../journal/journal.ts';
import type { Ledger } from './record-writer.ts';
import { loadJson, storeValue, type Stored } from '../journal/step-value.ts';
import type { RunBlobs } from '../store/engine-store.ts';
import type { PerformOptions } from './perform-options.ts';

export interface StepsOptions extends Pick<PerformOptions<unknown>, 'clock'> {
  readonly ledger: Ledger;
  readonly blobs: RunBlobs;
  /** The effects' signal; it fires when the run leaves. */
  readonly signal: AbortSignal;
  /** Called for faults of the record and the disk: they stop the run, no matter how the machine would handle them. */
  readonly onFault: (error: unknown) => void;
  readonly onStepOver: () => void;
}

interface StepFacts {
  readonly inputDigest: string;
  readonly how: StepOptions;
}

interface Running {
  readonly attempt: number;
  readonly emitter: AttemptEmitter;
  readonly how: StepOptions;
  performing: Promise<unknown>;
}

type Perform<Value> = (attempt: StepAttempt) => Promise<StepResult<Value>>;

export class Steps {
  readonly #options: StepsOptions;
  readonly #running = new Map<string, Running>();
  /** Steps that have ended and whose end is not durable yet. */
  #committing = 0;

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  async step<Value>(
    step: string,
    input: unknown,
    perform: Perform<Value>,
    how: StepOptions = {},
  ): Promise<Value> {
    const inputDigest = digestOf(input);
    const known = this.#options.ledger.memory.steps.get(step);
    const record = known?.record ?? null;
    if (known === undefined || record === null) return this.#perform(step, { inputDigest, how }, perform);
    return JSON.parse(await this.#recalled(step, known.inputDigest === inputDigest, record));
  }

  get runningCount(): number {
    return this.#running.size + this.#committing;
  }

  /** Resolves when all running effects have ended. */
  async woundUp(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ performing }) => performing));
  }

  /** Returns the records that end all running attempts. */
  abandoningAll(): readonly RecordDraft[] {
    return [...this.#running].flatMap(([step, { attempt, emitter }]) =>
      this.#options.ledger.abandoning(step, attempt, emitter.take()),
    );
  }

  async #perform<Value>(step: string, about: StepFacts, perform: Perform<Value>): Promise<Value> {
    const running = this.#begin(step, about);
    const performing = this.#onceBegun(running, () => perform(this.#attempt(step, running)));
    running.performing = performing;
    try {
      return await this.#end(step, running, await performing);
    } catch (error) {
      const { ledger } = this.#options;
      ledger.write(ledger.abandoning(step, running.attempt, running.emitter.take()));
      throw error;
    } finally {
      this.#running.delete(step);
      this.#options.onStepOver();
    }
  }

  #begin(step: string, { inputDigest, how }: StepFacts): Running {
    const { ledger } = this.#options;
    if (this.#running.has(step)) throw new CollabError('internal', `The step ${step} is already running`);
    this.#orFault(() => refuseAfterTheEnd(ledger, step));
    const attempt = (ledger.memory.steps.get(step)?.attempts ?? 0) + 1;
    const begun = { type: 'step.begun', step, attempt, input_digest: inputDigest } as const;
    if (!ledger.write([ledger.draft(begun)])) throw hasLeft();
    const running = { attempt, how, emitter: this.#emitterOf(step), performing: Promise.resolve() };
    this.#running.set(step, running);
    return running;
  }

  /** Makes no call before its start is durable. Turns an exception that `perform` throws at once into a rejection. */
  async #onceBegun<Value>({ how }: Running, perform: () => Promise<Value>): Promise<Value> {
    const { ledger } = this.#options;
    const begun = how.repeatable === true || how.guarded === true ? null : ledger.durable();
    if (begun !== null && (!(await begun) || ledger.sealed)) throw hasLeft();
    return perform();
  }

  async #end<Value>(step: string, running: Running, result: StepResult<Value>): Promise<Value> {
    const { ledger, blobs } = this.#options;
    const { attempt, emitter, how } = running;
    if (ledger.sealed) throw hasLeft();
    const { value, remember = true } = result;
    const { stored, json } = this.#orFault(() => storeValue(blobs, value));
    const ended = ledger.draft({ type: 'step.ended', step, attempt, ...stored });
    ledger.write(
      remember
        ? [...ledger.closing(step, emitter.take()), ended]
        : ledger.abandoning(step, attempt, emitter.take(), 'refused'),
    );
    this.#running.delete(step);
    if (how.repeatable !== true) await this.#committed();
    // Live and replayed steps return the same value: the one that JSON preserves.
    return JSON.parse(json);
  }

  async #committed(): Promise<void> {
    const durable = this.#options.ledger.durable();
    if (durable === null) return;
    this.#committing += 1;
    const held = await durable;
    this.#committing -= 1;
    if (!held) throw hasLeft();
  }

  async #recalled(step: string, sameInput: boolean, record: Stored): Promise<string> {
    try {
      if (sameInput) return await loadJson(this.#options.blobs, record);
      throw otherInput(step);
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }

  #attempt(step: string, running: Running): StepAttempt {
    const { ledger, blobs, signal } = this.#options;
    const { attempt, emitter } = running;
    return {
      number: attempt,
      lostSessionId: ledger.memory.steps.get(step)?.lostSessionId ?? null,
      signal,
      // Events from an agent after its step has ended, or the run has left, are dropped.
      emit: (event, about) => {
        if (!ledger.sealed && this.#running.get(step) === running) emitter.emit(event, about);
      },
      // Unlike the machine's promises, an effect must end when the run has left: this rejects.
      bind: async (sessionId) => {
        const bound = ledger.draft({ type: 'step.bound', step, session_id: sessionId });
        if (!ledger.write([...emitter.take(), bound]) || !(await ledger.ours())) throw hasLeft();
      },
      recorded: async () => {
        if (!ledger.write(emitter.take()) || !(await ledger.ours()) || ledger.sealed) throw hasLeft();
      },
      keep: (text) => blobs.put(text),
    };
  }

  #emitterOf(step: string): AttemptEmitter {
    const { ledger, clock } = this.#options;
    const { memory } = ledger;
    return createEmitter({
      step,
      clock,
      turn: memory.turn,
      beginTurn: () => (memory.turn += 1),
      write: (drafts) => ledger.write(drafts),
    });
  }

  #orFault<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }
}

/** Rejects new steps in a run that has ended: it is only replayed. */
export function refuseAfterTheEnd({ memory }: Ledger, name: string): void {
  if (memory.ended === null) return;
  throw new CollabError('usage', `The run ${memory.ended.run_id} has ended; there is nothing to resume`, {
    hint: 'collab show prints what it found.',
    details: { run_id: memory.ended.run_id, name },
  });
}

function otherInput(step: string): CollabError {
  return new CollabError('replay_mismatch', `The step ${step} has another input than before`, {
    hint: 'The run was started with other code or other input; start a new one.',
    details: { step },
  });
}

/** Never reaches the machine: the driver holds it back. */
function hasLeft(): CollabError {
  return new CollabError('cancelled', 'The run has left this process');
}
