import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../system/clock.ts';
import type { Answerer } from '../engine/drive/perform-options.ts';

/** What a drive of a run of any kind is given. */
export interface DriveFolderOptions {
  readonly runFolder: string;
  readonly runId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where a new run belongs; absent: to the command line, in a conversation of its own. */
  readonly where?: { readonly tenantId: string; readonly conversationId: string };
  /** Told as the title of its conversation when the run has come to its end; absent: it has one. */
  readonly title?: string;
  /** Interrupts the run; `collab resume` goes on with it. */
  readonly signal: AbortSignal;
  /** Whoever answers the run's questions here; without one it suspends when it asks. */
  readonly answerer?: Answerer;
  readonly onEvent?: (event: CollabEvent) => void;
  /** Called after each commit point is on the disk. */
  readonly onCommit?: (events: readonly CollabEvent[]) => void;
}
