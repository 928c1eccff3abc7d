/** What was learned of the user's Codex, left for the call that needs it next: learning takes a third of Codex's own start. */
import type { ProviderEnvironment } from '../../contract/contract.ts';
import type { UserFacts } from './prepare.ts';

export interface LearnedFacts extends UserFacts {
  readonly version: string | null;
}

export type LeftBy = 'warm_up' | 'probe';

interface Left {
  readonly by: LeftBy;
  /** What decides which Codex is found, beside the environment. */
  readonly place: string;
  readonly leftAtMs: number;
  readonly facts: Promise<LearnedFacts>;
}

/** Older facts are learned again: the user may have logged in meanwhile. */
const freshMs = 10_000;

const left = new WeakMap<ProviderEnvironment['env'], Left>();

/** A failure is no failure of whoever leaves it: it meets the one who takes it. */
export function leaveFacts(environment: ProviderEnvironment, facts: Promise<LearnedFacts>, by: LeftBy): void {
  facts.catch(() => undefined);
  left.set(environment.env, { by, place: placeOf(environment), leftAtMs: performance.now(), facts });
}

/** Taken once; null where nothing fresh was left by one of `by` for this place. */
export function takeFacts(
  environment: ProviderEnvironment,
  by: readonly LeftBy[],
): Promise<LearnedFacts> | null {
  const found = left.get(environment.env);
  if (found === undefined || found.place !== placeOf(environment) || !by.includes(found.by)) return null;
  left.delete(environment.env);
  return performance.now() - found.leftAtMs < freshMs ? found.facts : null;
}

function placeOf({ cwd, settings }: ProviderEnvironment): string {
  return JSON.stringify([cwd, settings['codex.path'] ?? null]);
}
