/** Whether the system says by this code why something failed: `ENOENT`, `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
