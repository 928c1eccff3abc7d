/** The port that decides which process drives a run next. It knows when a run needs a drive, and nothing of its records. */

/** The state of a run between its submission and its end. */
export type TaskState = 'queued' | 'driven' | 'asking' | 'done';

export interface WantedTasks {
  readonly kinds: readonly string[];
  /** Takes only runs whose providers are all in this list; null: any. */
  readonly providers: readonly string[] | null;
  /** The newest form of inputs that this process reads; it also takes older ones. */
  readonly protocol: number;
  /** The runs that this process drives now. */
  readonly driving: readonly string[];
}

export interface Task {
  readonly runId: string;
  /** The drives in a row that ended without a word, or with a fault. */
  readonly lost: number;
  /** The fault of the last drive; null if it had none. */
  readonly fault: string | null;
}

/** How a drive left its run. */
export type TaskDeparture =
  /** Another drive continues it, at once or after `afterMs`. */
  | { readonly kind: 'queued'; readonly afterMs?: number }
  /** The drive failed; another drive follows after a while. */
  | { readonly kind: 'fault'; readonly message: string; readonly afterMs: number }
  /** It waits for an answer, and has so many records. */
  | { readonly kind: 'asking'; readonly seq: number }
  | { readonly kind: 'done' };

export interface Dispatcher {
  /**
   * Returns the next run, for this process alone; null if there is none. A run that was begun goes first. Then comes the tenant
   * with the fewest drives for its share, and of its runs the one of the first priority that has waited longest.
   */
  take(wanted: WantedTasks): Promise<Task | null>;
  /** Records how a drive of this process left a run; nothing if another process has the run by now. */
  leave(runId: string, departure: TaskDeparture): Promise<void>;
}
