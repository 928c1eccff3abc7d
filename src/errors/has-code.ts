/** Checks whether an error carries one of these system codes, such as `ENOENT` or `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** Returns the error's code, such as `ENOENT`; null if it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Returns the result of the work; null if it fails with one of these codes. */
export function orNull<Result>(work: () => Result, ...codes: readonly string[]): Result | null {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, ...codes)) return null;
    throw error;
  }
}
