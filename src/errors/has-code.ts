/** Checks whether an error carries one of these system codes, such as `ENOENT` or `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** Returns the error's code, such as `ENOENT`; null if it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
