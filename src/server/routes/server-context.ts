import type { RunManager, RunManagerOptions } from '../runs/run-manager.ts';
import type { RunPorts } from '../runs/run-ports.ts';

/** The context of every group of routes. */
export interface ServerContext extends Pick<
  RunManagerOptions,
  'clock' | 'conversations' | 'cwd' | 'engine' | 'env' | 'streams' | 'tokens' | 'hidePaths' | 'onFault'
> {
  readonly ports: Pick<RunPorts, 'probeAgents'>;
  readonly version: string;
  /** The folder with the page's files, if they are built. */
  readonly pageFolder: string;
  readonly runs: RunManager;
  /** Fires when the server stops: readers are disconnected and return to the next server. */
  readonly stopping: AbortSignal;
}
