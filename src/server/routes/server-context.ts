import type { Clock } from '../../system/clock.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { PathHider } from '../access/hide-paths.ts';
import type { ValidTokens } from '../access/valid-tokens.ts';
import type { RunManager } from '../runs/run-manager.ts';
import type { RunStreams } from '../streams/run-streams.ts';

/** The context of every group of routes. */
export interface ServerContext {
  readonly clock: Clock;
  readonly version: string;
  /** The folder with the page's files, if they are built. */
  readonly pageFolder: string;
  readonly conversations: Conversations;
  readonly runs: RunManager;
  /** The events of runs as frames. */
  readonly streams: RunStreams;
  /** Readers are disconnected when their token is revoked or expires. */
  readonly tokens: ValidTokens;
  readonly hidePaths: PathHider;
  /** Fires when the server stops: readers are disconnected and return to the next server. */
  readonly stopping: AbortSignal;
  /** Called for a bug of collab or a damaged file; no client gets its text. */
  readonly onFault: (error: unknown) => void;
}
