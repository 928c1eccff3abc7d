/** A hunk with its secrets found and masked. */
import { findReportableSecrets, type ReportableSecret } from '../../secrets/report-secrets.ts';
import { maskText } from '../../secrets/mask-text.ts';
import type { DiffLine, Hunk } from '../../parsers/diff/types.ts';
import type { RuleFinding } from './rule-finding.ts';

export interface MaskedHunk {
  /** Reportable secrets that begin on added lines. */
  readonly secrets: readonly SecretOnLine[];
  /** Returns the finding with its quotation masked like the change itself, so that its place can still be found. */
  mask(finding: RuleFinding): RuleFinding;
}

export interface SecretOnLine {
  readonly line: DiffLine;
  readonly secret: Pick<ReportableSecret, 'rule' | 'severity' | 'rejectable'>;
}

export function maskHunk(path: string, hunk: Hunk): MaskedHunk {
  const text = hunk.lines.map((line) => `${markOf[line.kind]}${line.text}\n`).join('');
  const masked = maskText(text);
  if (masked === text) return { secrets: [], mask: (finding) => finding };
  const rows = masked.split('\n');
  const secrets = findReportableSecrets(text, path).flatMap((secret) => {
    const line = hunk.lines[beginningOf(secret, rows)];
    return line?.kind === 'added' ? [{ line, secret }] : [];
  });
  return {
    secrets,
    mask: (finding) => ({ ...finding, quote: quoteFrom(hunk, rows, finding) }),
  };
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
  return { secrets, mask: (finding) => finding };
}

/** Returns the index of the secret's first row; for a private key, that of its marker if it is shown. */
function beginningOf({ line, rule }: ReportableSecret, rows: readonly string[]): number {
  const index = line - 1;
  return rule === 'private_key' && /PRIVATE KEY/.test(rows[index - 1] ?? '') ? index - 1 : index;
}
const markOf = { added: '+', removed: '-', context: ' ' } as const;

function quoteFrom({ lines }: Hunk, rows: readonly string[], finding: RuleFinding): readonly string[] {
  return rows
    .filter((_, index) => {
      const line = lines[index];
      const number = finding.side === 'new' ? line?.newLine : line?.oldLine;
      return typeof number === 'number' && number >= finding.startLine && number <= finding.endLine;
    })
    .map((row) => row.slice(1).replace(/\r$/, ''));
}
