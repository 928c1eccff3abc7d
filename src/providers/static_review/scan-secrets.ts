/** The secret scan over a hunk. */
import type { MaskedHunk } from './mask-hunk.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

export const secretRule: RuleFinding['rule'] = {
  name: 'hardcoded-secret',
  severity: 'critical',
  title: 'A secret is written into the source',
  why: 'Everyone who can read the repository, now or later, has it; removing it from a later version does not take it back.',
  fix: 'Revoke it, issue a new one, and read that from the environment or a secret store.',
};

export function scanSecrets(path: string, { secretLines }: MaskedHunk): readonly RuleFinding[] {
  return secretLines.flatMap((line) => findingAt(secretRule, path, 'new', [line]) ?? []);
}
