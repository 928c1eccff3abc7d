import type { Speaker } from '../../access/speaker.ts';
import type { CollabError } from '../../errors/collab-error.ts';
import type { SharedView } from '../../git/repository/shared-view.ts';
import type { Clock } from '../../system/clock.ts';
import type { StartDefaults } from './start-request.ts';

/** The surroundings in which a request starts a run. */
export interface StartPlace {
  /** The folder of the runs. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Stops the start, not the run. */
  readonly signal: AbortSignal;
  /** The speaker who asks; default: the owner. */
  readonly speaker?: Speaker | undefined;
  /** The repository's name in grants; default: that of `cwd`. */
  readonly repository?: string | undefined;
  readonly defaults?: StartDefaults | undefined;
  /** The view of the repository for the whole start, from which the settings were read. The caller closes it. */
  readonly view?: SharedView | undefined;
  /** Reads the standard input that `-` names; without it, the input is empty. */
  readonly readInput?: ReadInput | undefined;
  /** Prints a wait for a host: one line, without its end. Default: none. */
  readonly tellWait?: ((line: string) => void) | undefined;
}

/** @throws the CollabError that `tooLarge` returns */
export type ReadInput = (limit: InputLimit) => Promise<Uint8Array>;

export interface InputLimit {
  readonly mostBytes: number;
  readonly tooLarge: () => CollabError;
}
