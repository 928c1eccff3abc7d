/** The port of the MCP tools: the runs of one caller, and how the process that serves it acts on them. */
import type { Speaker } from '../access/speaker.ts';
import type { RunStatus } from '../engine/port.ts';
import type { Engine } from '../runs/engine/engine.ts';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import type { StartRequest } from '../runs/start/start-request.ts';
import type { Clock } from '../system/clock.ts';

export interface CallerRuns {
  /** The folder of the caller's runs. */
  readonly home: string;
  readonly clock: Clock;
  readonly engine: Engine;
  /** The calling agent and the speaker that it acts for. */
  readonly host: Extract<Speaker, { readonly kind: 'host' }>;
  readonly byHand: WaysByHand;
  /** Starts a run that outlives the call. @throws CollabError as the start of the run's kind */
  start(request: StartRequest): Promise<OpenedRun>;
  state(found: OpenedRun): Promise<RunStatus>;
  /** Resolves when no process drives the run, or when `signal` fires. */
  waitWhileDriven(found: OpenedRun, signal: AbortSignal): Promise<void>;
  /** Records the answer to the first open question durably, and continues the run. @throws CollabError `input` */
  answer(found: OpenedRun, text: string): Promise<void>;
  /** Ends the run permanently. Resolves when no process drives it. */
  cancel(found: OpenedRun): Promise<void>;
  /** Returns what the caller may see of an error. */
  refusalOf(error: unknown): CallRefusal;
}

export interface CallRefusal {
  readonly message: string;
  readonly hint: string | null;
}

/** The actions of a person without the calling agent, each as the end of a sentence. */
export interface WaysByHand {
  /** Answers the question of a run. */
  readonly answer: (run: string) => string;
  /** Continues a run that has stopped. */
  readonly resume: (run: string) => string;
  /** Reads all of a run. */
  readonly show: (run: string) => string;
  /** Brings the edits of a run into the files; null if the caller has no files. */
  readonly apply: (run: string) => string | null;
}
