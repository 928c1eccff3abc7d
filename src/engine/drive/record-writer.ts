/** The only writer of a drive; once it is sealed, nothing is written. */
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { isCommitPoint, type RecordDraft } from '../journal/journal.ts';
import { createOpenings, type Openings } from './open-records.ts';
import type { Claim } from '../store/engine-store.ts';
import { recall, rememberStep, type RunMemory } from './run-state.ts';

export interface LedgerOptions {
  readonly claim: Claim;
  readonly onEvent: (event: CollabEvent) => void;
  readonly onLockLost: () => void;
  readonly onFault: (error: unknown) => void;
}

export class Ledger {
  readonly memory: RunMemory;
  readonly #options: LedgerOptions;
  readonly #openings: Openings;
  #sealed = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.memory = recall(options.claim.past);
    this.#openings = createOpenings(options.claim.past);
  }

  get sealed(): boolean {
    return this.#sealed;
  }

  seal(): void {
    this.#sealed = true;
  }

  /** Returns false if the ledger is sealed, before or because of this write. Never throws: a fault stops the run. */
  write(drafts: readonly RecordDraft[]): boolean {
    if (this.#sealed || drafts.length === 0) return !this.#sealed;
    if (drafts.some(isCommitPoint) && !this.#options.claim.isOurs()) {
      this.#options.onLockLost();
      return false;
    }
    try {
      for (const draft of drafts) this.#openings.see(draft);
      for (const event of this.#options.claim.append(drafts)) {
        rememberStep(this.memory, event);
        this.#options.onEvent(event);
      }
    } catch (error) {
      this.#options.onFault(error);
    }
    return !this.#sealed;
  }

  /**
   * Returns null if all records so far are durable, else a promise that resolves when they are: with false if the run was
   * lost instead. Never rejects: a fault stops the run.
   */
  durable(): Promise<boolean> | null {
    const { claim, onLockLost, onFault } = this.#options;
    const pending = claim.durable();
    if (pending === null) return null;
    return pending.then(
      () => true,
      (error: unknown) => {
        if (isLocked(error)) onLockLost();
        else onFault(error);
        return false;
      },
    );
  }

  /**
   * Resolves when all records are durable and the run is ours at that very moment, for a call that is sent next: between the
   * reply of a store and this, the process may have been stopped. False if the run was lost.
   */
  async ours(): Promise<boolean> {
    for (;;) {
      const pending = this.durable();
      if (pending === null) return true;
      if (!(await pending)) return false;
    }
  }

  /** Calls `next` as soon as all records so far are durable: at once in a store that makes them so. */
  whenDurable(next: () => void): void {
    const pending = this.durable();
    if (pending === null) next();
    else void afterwards(pending, next);
  }

  draft(body: RecordDraft['body']): RecordDraft {
    return { body, turn: this.memory.turn };
  }

  /** Returns `last`, and an end for every tool and agent that `step` left open. */
  closing(step: string, last: readonly RecordDraft[]): readonly RecordDraft[] {
    for (const draft of last) this.#openings.see(draft);
    return [...last, ...this.#openings.closersOf(step)];
  }

  /** Returns `last`, an end for everything that the attempt left open, and one for the attempt. */
  abandoning(
    step: string,
    attempt: number,
    last: readonly RecordDraft[],
    reason?: 'refused',
  ): readonly RecordDraft[] {
    for (const draft of last) this.#openings.see(draft);
    const why = reason === undefined ? {} : { reason };
    const { turn } = this.memory;
    return [...last, ...this.#openings.abandon({ type: 'step.abandoned', step, attempt, ...why }, turn)];
  }

  /** Returns an end for every exchange that has none; call it after the abandoned attempts. */
  closingExchanges(): readonly RecordDraft[] {
    return this.#openings.exchangeClosers(this.memory.turn);
  }
}

async function afterwards(pending: Promise<boolean>, next: () => void): Promise<void> {
  if (await pending) next();
}

function isLocked(error: unknown): boolean {
  return error instanceof CollabError && error.code === 'locked';
}
