/** The port below the driver: where the records of runs are, and which process may add to them. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { RecordEnds } from '../journal/first-and-last.ts';
import type { JournalLine } from '../journal/journal-line.ts';
import type { JournalOptions, RecordDraft, RunEnvelope } from '../journal/journal.ts';
import type { OwnerReply, OwnerRequest, RequestHandler } from '../lock/requests.ts';
import type { RunMemory } from '../drive/run-state.ts';

/** A store names a run by its folder, whose name is the run's id. */
export interface EngineStore {
  /** Takes the run for this process. @throws CollabError `locked`, `journal_corrupt`, `journal_version` */
  claim(options: ClaimOptions): Promise<Claim>;
  /** @throws CollabError `journal_corrupt`, `journal_version`, or `run_not_found` if the store holds no such run */
  recall(runFolder: string): Promise<RunMemory>;
  /** Opens the records of a run, for a reader that does not drive it. The caller closes the result. */
  read(runFolder: string, clock: Clock): RecordReader;
  /** Returns null if nothing is recorded yet, or if a record does not have this version. */
  ends(runFolder: string): Promise<RecordEnds | null>;
  /** Returns a large text of the run; null if there is none. @throws CollabError `journal_corrupt` if it does not match its name */
  text(runFolder: string, name: string): Promise<string | null>;
  /** Returns true while a process that is alive has the run. */
  isOwned(runFolder: string): Promise<boolean>;
  /** Returns null if no process owns the run, its owner exits before it replies, or `signal` fires. */
  ask(runFolder: string, request: OwnerRequest, signal?: AbortSignal): Promise<OwnerReply | null>;
}

/** Reads the records of a run in order, while another process may add more. */
export interface RecordReader {
  /**
   * Returns the next records, of a long journal a part; none if there are no more yet.
   * @throws CollabError `journal_corrupt`, `journal_version`
   */
  next(): Promise<readonly JournalLine[]>;
  /** Resolves after a change since the last call, after a while in any case, and when `signal` fires. */
  change(signal: AbortSignal): Promise<void>;
  /** Acts as if something had changed. */
  wake(): void;
  close(): Promise<void>;
}

export interface ClaimOptions extends Omit<JournalOptions, 'envelope'> {
  /** The envelope of a new run; null for a run that has records, which keeps its own. */
  readonly envelope: RunEnvelope | null;
}

/** A run in the hands of this process, until it is released or another process takes over. */
export interface Claim {
  /** The records in the store when the run was claimed. */
  readonly past: readonly CollabEvent[];
  readonly blobs: RunBlobs;
  /** Fires when another process has taken over; null if `isOurs` finds out by itself. */
  readonly lost: AbortSignal | null;
  /** Returns false once another process has taken over; checked before each commit point. */
  isOurs(): boolean;
  /** Numbers the records and hands them to the store, in order. */
  append(drafts: readonly RecordDraft[]): readonly CollabEvent[];
  /**
   * Returns null if all records so far are durable, else a promise that resolves when they are. It rejects with `locked`
   * if another process has taken over, or with the fault of the store.
   */
  durable(): Promise<void> | null;
  /** Sets the handler of requests from other processes; until then every request is refused. */
  onRequest(handler: RequestHandler): void;
  /** Lets the next process take the run, after all records are durable. */
  release(): Promise<void>;
}

/** The large texts of a run, each under its SHA-256. */
export interface RunBlobs {
  /** Returns the name of the text. A record that names it is not durable before the text is. */
  put(text: string): string;
  /** @throws CollabError `journal_corrupt` when the text is missing or does not match its name */
  get(name: string): string | Promise<string>;
}
