/**
 * Regular expressions of a model, run where they can be stopped. `(a+)+$` on one long line would hold the process for
 * years: V8 looks for a termination while it backtracks, and `vm` sends one after a time. A worker would not even block for
 * that half second, but it takes longer to start than most searches; an engine without backtracking (RE2) is a native module.
 */
import { createContext, Script } from 'node:vm';
import picomatch from 'picomatch';
import type { Refused } from './inside-path.ts';

/** The indexes of the texts that match; null where that took too long. */
export type Matcher = (texts: readonly string[]) => readonly number[] | null;

export const matchLimitMs = 500;

export function createMatcher(
  pattern: string,
  flags: 'i' | '',
): { readonly ok: true; readonly match: Matcher } | Refused {
  try {
    return { ok: true, match: limited(new RegExp(pattern, flags)) };
  } catch (error) {
    return { ok: false, why: `The pattern is no regular expression of JavaScript: ${wordsOf(error)}` };
  }
}

/** A glob over paths with `/`; `*` and `**` see names that begin with a dot. */
export function createGlobMatcher(pattern: string): { readonly ok: true; readonly match: Matcher } | Refused {
  try {
    return { ok: true, match: limited(picomatch.makeRe(pattern, { dot: true })) };
  } catch (error) {
    return { ok: false, why: `The glob cannot be read: ${wordsOf(error)}` };
  }
}

const search = new Script(
  'for (let index = 0; index < texts.length; index += 1) if (pattern.test(texts[index])) found.push(index);',
);

function limited(pattern: RegExp): Matcher {
  const world: { pattern: RegExp; texts: readonly string[]; found: number[] } = {
    pattern,
    texts: [],
    found: [],
  };
  const context = createContext(world);
  return (texts) => {
    Object.assign(world, { texts, found: [] });
    try {
      search.runInContext(context, { timeout: matchLimitMs });
      return world.found;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  };
}

/** Made in the other context: no instance of this one's `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
