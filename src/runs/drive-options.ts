import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../system/clock.ts';
import type { OpenedRun } from './folder/opened-run.ts';
import type { RecordedEvents } from '../engine/journal/recorded-events.ts';
import type { QuestionAnswerer } from '../engine/drive/perform-options.ts';

/** The options for driving a run of any kind. */
export interface DriveFolderOptions {
  readonly runFolder: string;
  readonly runId: string;
  /** The run, if the caller has opened it already: then its input and change are not read again. */
  readonly opened?: OpenedRun;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Tenant and conversation of a new run; absent: the command line, in a conversation of its own. */
  readonly where?: { readonly tenantId: string; readonly conversationId: string };
  /** Emitted as the title of its conversation when the run ends; absent: the conversation has a title. */
  readonly title?: string;
  /** Interrupts the run; `collab resume` continues it. */
  readonly signal: AbortSignal;
  /** Answers the run's questions in this process; without it, the run suspends when it asks. */
  readonly answerer?: QuestionAnswerer;
  /** Collects the run's records. Default: a list of its own. */
  readonly recorded?: RecordedEvents;
  readonly onEvent?: (event: CollabEvent) => void;
  /** Called after each commit point is on the disk. */
  readonly onCommit?: (events: readonly CollabEvent[]) => void;
}
