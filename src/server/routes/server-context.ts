import type { Clock } from '../../system/clock.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { RunManager } from '../runs/run-manager.ts';
import type { RunStreams } from '../streams/run-streams.ts';

/** What every group of routes is given. */
export interface ServerContext {
  readonly clock: Clock;
  readonly version: string;
  /** With the page's files, where they are built. */
  readonly pageFolder: string;
  readonly conversations: Conversations;
  readonly runs: RunManager;
  /** What runs say, as frames. */
  readonly streams: RunStreams;
  /** Fires when the server stops: readers are let go, and come back to the next one. */
  readonly stopping: AbortSignal;
  /** Told of what is a bug of ours, or a damaged file: its text goes to no client. */
  readonly onFault: (error: unknown) => void;
}
