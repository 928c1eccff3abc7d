/** The two states of a change, read while the settings of its run are read: neither depends on the other. */
import { Deferred } from '../../system/deferred.ts';
import { requireRepository } from '../repository/find-root.ts';
import type { GitEnvironment } from '../repository/run-git.ts';
import type { SharedView } from '../repository/shared-view.ts';
import type { ChangeRequest } from './change-input.ts';
import { compareStates, isGitRequest, type Compared } from './compare-states.ts';

export interface EarlyStates {
  /** As `compareStates`. The states of later calls are those of the first one. */
  readonly compare: (onFrom: (tree: string) => void) => Promise<Compared>;
}

export interface EarlyStatesOptions {
  readonly cwd: string;
  readonly env: GitEnvironment;
  readonly signal: AbortSignal;
  /** Ends the reading when it is closed. */
  readonly view: SharedView;
}

/** Begins to read; returns null for a diff from elsewhere. An error reaches the caller of `compare`. */
export function beginStates(
  request: ChangeRequest,
  { cwd, env, signal, view }: EarlyStatesOptions,
): EarlyStates | null {
  if (!isGitRequest(request)) return null;
  const from = new Deferred<string>();
  const read = async (): Promise<Compared> => {
    const opened = await view.open(await requireRepository(cwd), { env, signal });
    return compareStates(opened, request, (tree) => from.resolve(tree));
  };
  const reading = read();
  view.during(reading);
  return {
    compare(onFrom) {
      void from.promise.then(onFrom);
      return reading;
    },
  };
}
