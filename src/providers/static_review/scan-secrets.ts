/** The secret scan over the new side of a hunk. */
import type { Hunk } from '../../parsers/unified-diff-types.ts';
import { newSideOf } from './new-side.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

export const secretRule: RuleFinding['rule'] = {
  name: 'hardcoded-secret',
  severity: 'critical',
  title: 'A secret is written into the source',
  why: 'Everyone who can read the repository, now or later, has it; removing it from a later version does not take it back.',
  fix: 'Revoke it, issue a new one, and read that from the environment or a secret store.',
};

export async function scanSecrets(path: string, hunk: Hunk): Promise<readonly RuleFinding[]> {
  const { lines, text } = newSideOf(hunk);
  if (lines.every(({ kind }) => kind !== 'added')) return [];
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const { messages } = await lintSource({
    source: { content: text, filePath: path, contentType: 'text' },
    options: { config: { rules: [{ id: 'recommended', rule: creator, options: {} }] } },
  });
  return messages.flatMap(({ loc }) => {
    const line = lines[loc.start.line - 1];
    return line?.kind === 'added' ? (findingAt(secretRule, path, 'new', [line]) ?? []) : [];
  });
}
