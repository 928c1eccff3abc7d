/** A hunk with its secrets found and masked: the rules read only masked text. */
import { findReportableSecrets, type ReportableSecret } from '../../secrets/report-secrets.ts';
import { maskText } from '../../secrets/mask-text.ts';
import type { DiffLine, Hunk } from '../../parsers/diff/types.ts';

export interface MaskedHunk {
  readonly hunk: Hunk;
  /** Reportable secrets that begin on added lines of the masked hunk. */
  readonly secrets: readonly SecretOnLine[];
}

export interface SecretOnLine {
  readonly line: DiffLine;
  readonly secret: Pick<ReportableSecret, 'rule' | 'severity' | 'rejectable'>;
}

export function maskHunk(path: string, hunk: Hunk): MaskedHunk {
  const text = hunk.lines.map((line) => `${markOf[line.kind]}${line.text}\n`).join('');
  const masked = maskText(text);
  if (masked === text) return { hunk, secrets: [] };
  const rows = masked.split('\n');
  const lines = hunk.lines.map((line, index) => ({ ...line, text: rows[index]?.slice(1) ?? '' }));
  const secrets = findReportableSecrets(text, path).flatMap((secret) => {
    const line = lines[beginningOf(secret, rows)];
    return line?.kind === 'added' ? [{ line, secret }] : [];
  });
  return { hunk: { ...hunk, lines }, secrets };
}

/** Returns a hunk that is already masked. */
export function knownHunk(
  path: string,
  hunk: Hunk,
  known: readonly (SecretOnLine['secret'] & { readonly path: string; readonly line: number })[],
): MaskedHunk {
  const secrets = known.flatMap((secret) => {
    const line = hunk.lines.find(({ kind, newLine }) => kind === 'added' && newLine === secret.line);
    return secret.path === path && line !== undefined ? [{ line, secret }] : [];
  });
  return { hunk, secrets };
}

/** Returns the index of the secret's first row; for a private key, that of its marker if it is shown. */
function beginningOf({ line, rule }: ReportableSecret, rows: readonly string[]): number {
  const index = line - 1;
  return rule === 'private_key' && /PRIVATE KEY/.test(rows[index - 1] ?? '') ? index - 1 : index;
}

const markOf = { added: '+', removed: '-', context: ' ' } as const;
