/** The outer port: everything that a command, a server or a calling agent asks of runs that it does not drive itself. */
import type { RecordEnds } from '../../engine/journal/first-and-last.ts';
import type { JournalLine } from '../../engine/journal/journal-line.ts';
import type { Priority } from '../../tags/priorities.ts';
import type { AnswerFromOutside } from '../../engine/drive/perform-options.ts';
import type { KeptText } from '../review/kept-text.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { ListedRun } from '../folder/listed-run.ts';
import type { OpenedRun } from '../folder/opened-run.ts';
import type { RunResult } from '../folder/result-file.ts';
import type { RunFolder } from '../folder/run-folder.ts';
import type { RunInput } from '../folder/run-input.ts';
import type { RunsOfConversation } from '../folder/runs-of-conversation.ts';
import type { RunStanding } from '../folder/run-status.ts';
import type { StoredCopy } from '../workflow/fetched-run.ts';

/**
 * An engine names a run by its id and its folder, and an owner of runs by the folder that contains them. Each method works for
 * any run, whichever process drives it.
 */
export interface Engine {
  /**
   * Creates a run that no process drives yet. Repeated with the same id and input, it creates one run.
   * @throws CollabError `input` if the id is another run's, `queue_full` if its tenant has as many queued runs as it may have
   */
  start(home: string, run: NewRun): Promise<RunFolder>;
  /** Returns the runs of a home, newest first. */
  list(home: string): Promise<readonly RunFolder[]>;
  /** Finds a run by its id, the start or end of its id, or `latest`. @throws CollabError `run_not_found` */
  find(home: string, wanted?: string): Promise<OpenedRun>;
  /** Returns the conversation of a run. @throws CollabError `run_not_found`, `journal_corrupt` */
  conversation(home: string, run: RunFolder): Promise<RunsOfConversation>;
  /** Describes the runs of a home, newest first; also those that cannot be read. */
  describeAll(home: string): Promise<readonly ListedRun[]>;
  /** @throws CollabError if the run cannot be read */
  describe(run: RunFolder): Promise<ListedRun>;
  /** Returns the state and the questions. @throws CollabError `run_not_found`, `journal_corrupt`, `journal_version` */
  status(run: RunFolder): Promise<RunStanding>;
  /** Returns true while a process drives the run: cheaper than its status. */
  isDriven(run: RunFolder): Promise<boolean>;
  /** Returns the first and the last record; null if nothing is recorded yet, or if one does not have this version. */
  ends(run: RunFolder): Promise<RecordEnds | null>;
  /** Returns all records so far. @throws CollabError `run_not_found` if there are none, `journal_corrupt`, `journal_version` */
  records(run: RunFolder): Promise<readonly CollabEvent[]>;
  /**
   * Yields the records after the number `after` once, in order, also those that are written meanwhile; an empty batch means
   * that there are no more yet. Ends with the run, on the signal, and if the process of the run leaves it interrupted.
   */
  events(run: RunFolder, after: number, signal: AbortSignal): AsyncGenerator<readonly JournalLine[]>;
  /** Returns a large text of the run; null if there is none. @throws CollabError `journal_corrupt` if it does not match its name */
  text(run: RunFolder, name: string): Promise<string | null>;
  /** Returns null if the run was never driven, and for a turn. @throws CollabError `result_file` */
  result(run: RunFolder): Promise<RunResult | null>;
  /** Returns the input of the run; null if it is of another version, and for a turn. */
  input(run: RunFolder): Promise<RunInput | null>;
  /** Returns the whole text of a changed file, as the run kept it; null if the run is not a review. */
  keptText(run: RunFolder, path: string): Promise<KeptText | null>;
  /**
   * Returns the copy of a run that other machines drove; null if a folder has what there is.
   * @throws CollabError `input` if a run of the database has none
   */
  storedCopy(run: RunFolder): Promise<StoredCopy | null>;
  /** Records an answer, durably. @throws CollabError `input` when nothing asks for it or the value does not fit */
  answer(run: RunFolder, answer: NamedAnswer): Promise<void>;
  /** Records a refused answer if no process drives the run; its questions stay open. */
  refuse(run: RunFolder, message: string): Promise<void>;
  /** Ends the run for good: its process settles it, or, without one, it is ended here with its result. */
  cancel(run: RunFolder): Promise<'asked' | 'ended'>;
  /** Resolves when no process drives the run, or when `signal` fires. */
  untilFree(run: RunFolder, signal: AbortSignal): Promise<'free' | 'still_driven'>;
  /** Resolves if the engine answers now. @throws CollabError `network` */
  ready(): Promise<void>;
  /** Ends the connections of the engine. */
  close(): Promise<void>;
}

export interface NewRun {
  /** The id, chosen by the caller, so that a start whose reply was lost can be repeated. */
  readonly runId: string;
  readonly input: RunInput;
  /** Default: the owner of the machine, in a conversation of the run's own. */
  readonly owner?: RunOwner;
  /** The name of its repository in grants. */
  readonly repository?: string;
  /** Default: `person`. */
  readonly priority?: Priority;
  /** Nothing is started once it has fired. */
  readonly signal?: AbortSignal;
}

/** The tenant and the conversation that a run is of; it travels with the run. */
export interface RunOwner {
  readonly tenant: string;
  readonly conversation: string;
  /** The id of the token that the start was asked with; null if no token was required. */
  readonly token: string | null;
}

export interface NamedAnswer extends AnswerFromOutside {
  /** The name of the question. */
  readonly name: string;
}
