/** Reads a command's output of JSON lines, a record each. */
export function recordsIn(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
