/**
 * Stores facts about the user's Codex for the next call that needs them: finding them out takes a third of Codex's own start
 * time.
 */
import type { ProviderEnvironment } from '../../contract/contract.ts';
import type { UserFacts } from './prepare.ts';

export interface LearnedFacts extends UserFacts {
  readonly version: string | null;
}

export type LeftBy = 'warm_up' | 'probe';

interface Left {
  readonly by: LeftBy;
  /** The folder and program path that, with the environment, decide which Codex is found. */
  readonly place: string;
  readonly leftAtMs: number;
  readonly facts: Promise<LearnedFacts>;
}

/** Older facts are read again: the user may have logged in meanwhile. */
const freshMs = 10_000;

const left = new WeakMap<ProviderEnvironment['env'], Left>();

/** Stores the facts. A failure is reported only to the caller that takes them. */
export function leaveFacts(
  environment: ProviderEnvironment,
  facts: Promise<LearnedFacts>,
  by: LeftBy,
  leftAtMs = performance.now(),
): void {
  facts.catch(() => undefined);
  left.set(environment.env, { by, place: placeOf(environment), leftAtMs, facts });
}

/** Returns the facts once; null if none of `by` stored fresh ones for this place. */
export function takeFacts(
  environment: ProviderEnvironment,
  by: readonly LeftBy[],
  nowMs = performance.now(),
): Promise<LearnedFacts> | null {
  const found = left.get(environment.env);
  if (found === undefined || found.place !== placeOf(environment) || !by.includes(found.by)) return null;
  left.delete(environment.env);
  return nowMs - found.leftAtMs < freshMs ? found.facts : null;
}

function placeOf({ cwd, settings }: ProviderEnvironment): string {
  return JSON.stringify([cwd, settings['codex.path'] ?? null]);
}
