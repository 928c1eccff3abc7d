/** What a command tells in lines of JSON, a record each. */
export function recordsIn(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
