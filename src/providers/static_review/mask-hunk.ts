/** A hunk with its secrets found and covered. */
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import type { FoundSecret } from '../../secrets/text-range.ts';
import type { DiffLine, Hunk } from '../../parsers/diff/types.ts';
import type { RuleFinding } from './rule-finding.ts';

export interface MaskedHunk {
  /** Added lines on which a secret begins. */
  readonly secretLines: readonly DiffLine[];
  /** The finding with its quotation covered as the change itself is, so that its place can still be found. */
  mask(finding: RuleFinding): RuleFinding;
}

export async function maskHunk(hunk: Hunk): Promise<MaskedHunk> {
  const text = hunk.lines.map((line) => `${markOf[line.kind]}${line.text}\n`).join('');
  const { text: masked, found } = await maskSecrets(text);
  if (found.length === 0) return { secretLines: [], mask: (finding) => finding };
  const rows = masked.split('\n');
  const indexes = new Set(found.map((secret) => beginningOf(secret, text, rows)));
  return {
    secretLines: hunk.lines.filter(({ kind }, index) => kind === 'added' && indexes.has(index)),
    mask: (finding) => ({ ...finding, quote: quoteFrom(hunk, rows, finding) }),
  };
}

/** Index of the row where the secret begins: of a key over several rows the row of its marker, where that is shown. */
function beginningOf({ start, rule }: FoundSecret, text: string, rows: readonly string[]): number {
  const index = text.slice(0, start).split('\n').length - 1;
  if (rule !== 'private_key') return index;
  const first = rows.findLastIndex((row, at) => at < index && !/^.[\s>|*#"'`]*\*{4,}/.test(row)) + 1;
  return /PRIVATE KEY/.test(rows[first - 1] ?? '') ? first - 1 : Math.min(first, index);
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
