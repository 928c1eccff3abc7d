/** Checks whether an error carries one of these system codes, such as `ENOENT` or `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
