/**
 * Runs a model's regular expressions so that they can be stopped. `(a+)+$` on one long line would block the process for
 * years: V8 checks for termination while it backtracks, and `vm` terminates after a time limit. A worker would not even
 * block for that half second, but it takes longer to start than most searches; an engine without backtracking (RE2) is a
 * native module.
 */
import { createContext, Script } from 'node:vm';
import picomatch from 'picomatch';
import type { Refused } from './inside-path.ts';

/** Returns the indexes of the texts that match; null if it took too long. */
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

/** Matches a glob against paths with `/`; `*` and `**` match names that begin with a dot. */
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

/** The error comes from the other context: it is not an instance of this one's `Error`. */
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
