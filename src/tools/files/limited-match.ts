/** Runs a model's regular expressions and globs so that they can be stopped. */
import picomatch from 'picomatch';
import { createBoundedMatcher, type Matcher } from '../../text/bounded-match.ts';
import type { Refused } from './inside-path.ts';

export const matchLimitMs = 500;

export function createMatcher(
  pattern: string,
  flags: 'i' | '',
): { readonly ok: true; readonly match: Matcher } | Refused {
  try {
    return { ok: true, match: createBoundedMatcher([new RegExp(pattern, flags)], matchLimitMs) };
  } catch (error) {
    return { ok: false, why: `The pattern is not a JavaScript regular expression: ${wordsOf(error)}` };
  }
}

/** Matches a glob against paths with `/`; `*` and `**` match names that begin with a dot. */
export function createGlobMatcher(pattern: string): { readonly ok: true; readonly match: Matcher } | Refused {
  try {
    return {
      ok: true,
      match: createBoundedMatcher([picomatch.makeRe(pattern, { dot: true })], matchLimitMs),
    };
  } catch (error) {
    return { ok: false, why: `The glob cannot be read: ${wordsOf(error)}` };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
