/** One check of `collab doctor`. */
export interface AgentCheck<Name extends string = string> {
  readonly name: Name;
  /** `differs` is not a failure: it works, but not tested or not fully. */
  readonly state: 'ok' | 'differs' | 'fails';
  readonly text: string;
  /** A command to paste or a sentence; null if there is nothing to do. */
  readonly hint: string | null;
}

/** Checks the version. The abilities were probed before, so another version that has them all is fine. */
export function versionCheck(version: string | null, tested: string): AgentCheck<'version'> {
  const text = version === tested ? version : `${version ?? 'unknown'} (collab is tested with ${tested})`;
  return { name: 'version', state: 'ok', text, hint: null };
}
