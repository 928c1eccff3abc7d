/**
 * Matches texts against foreign patterns within a time limit. `(a+)+$` on one long line would block the process for
 * years: V8 checks for termination while it backtracks, and `vm` terminates after a time limit. A worker would not
 * even block for that time, but it takes longer to start than most searches; an engine without backtracking (RE2) is a
 * native module.
 */
import { createContext, Script } from 'node:vm';

/** Returns the indexes of the texts that match; null if it took too long. */
export type Matcher = (texts: readonly string[]) => readonly number[] | null;

const search = new Script(
  'for (let index = 0; index < texts.length; index += 1) if (patterns.some((pattern) => pattern.test(texts[index]))) found.push(index);',
);

/** A text matches if one of the patterns does. */
export function createBoundedMatcher(patterns: readonly RegExp[], limitMs: number): Matcher {
  const world: { patterns: readonly RegExp[]; texts: readonly string[]; found: number[] } = {
    patterns,
    texts: [],
    found: [],
  };
  const context = createContext(world);
  return (texts) => {
    Object.assign(world, { texts, found: [] });
    try {
      search.runInContext(context, { timeout: limitMs });
      return world.found;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  };
}

/** The error comes from the other context: it is not an instance of this one's `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
