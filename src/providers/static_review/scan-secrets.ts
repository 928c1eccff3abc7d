/** Runs the secret scan over a hunk. */
import type { MaskedHunk, SecretOnLine } from './mask-hunk.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

export const secretRule: RuleFinding['rule'] = {
  name: 'hardcoded-secret',
  severity: 'critical',
  title: 'A secret is written into the source',
  why: 'Everyone who can read the repository, now or later, has it; removing it from a later version does not take it back.',
  fix: 'Revoke it, issue a new one, and read that from the environment or a secret store.',
};

/** The rule for values that are secrets only by their name. */
export const passwordRule: RuleFinding['rule'] = {
  name: 'hardcoded-password',
  severity: 'important',
  title: 'A password or key is written into the source',
  why: 'Everyone who can read the repository, now or later, has it; it cannot be changed without a release.',
  fix: 'Read it from the environment or a secret store, and change the one that was committed.',
};

/** Returns one finding per line, with the highest severity. */
export function scanSecrets(path: string, { secrets }: MaskedHunk): readonly RuleFinding[] {
  const worst = new Map<SecretOnLine['line'], SecretOnLine>();
  for (const found of secrets) {
    const known = worst.get(found.line);
    if (known === undefined || rankOf(found) > rankOf(known)) worst.set(found.line, found);
  }
  return [...worst.values()].flatMap(({ line, secret: { rule: kind, severity, rejectable } }) => {
    const rule = kind === 'named_secret' ? passwordRule : secretRule;
    return findingAt({ ...rule, severity }, path, 'new', [line], rejectable) ?? [];
  });
}

function rankOf({ secret }: SecretOnLine): number {
  return (secret.severity === 'critical' ? 2 : 0) + (secret.rejectable === 'never' ? 1 : 0);
}
