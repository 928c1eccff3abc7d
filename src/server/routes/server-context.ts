import type { RunManager, RunManagerOptions } from '../runs/run-manager.ts';

/** The context of every group of routes. */
export interface ServerContext extends Pick<
  RunManagerOptions,
  'clock' | 'conversations' | 'engine' | 'streams' | 'tokens' | 'hidePaths' | 'onFault'
> {
  readonly version: string;
  /** The folder with the page's files, if they are built. */
  readonly pageFolder: string;
  readonly runs: RunManager;
  /** Fires when the server stops: readers are disconnected and return to the next server. */
  readonly stopping: AbortSignal;
}
