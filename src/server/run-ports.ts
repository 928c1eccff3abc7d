/** What the server needs of the floor above it, which knows the command line and the configuration. */
import type { RunFolder } from '../runs/run-folder.ts';

export interface CommandCall {
  /** Of the runs of the tenant. */
  readonly home: string;
  /** As they would be typed after `collab`. */
  readonly args: readonly string[];
  /** What the command reads in place of a file: the brief of a consultation, a diff; null where it reads none. */
  readonly text: string | null;
  readonly signal: AbortSignal;
}

export interface RunPorts {
  /** Begins a run of the protocol as a command would, and drives nothing. @throws CollabError as the command */
  prepareCommand(call: CommandCall): Promise<RunFolder>;
}
