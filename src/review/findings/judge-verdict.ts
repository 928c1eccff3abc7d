/**
 * Applies the verdict of an agent, the lead or the advisor, to a finding. A rejection counts only through its quotation: lines from a file that the
 * lead may quote, that are really there, and that the finding did not quote itself.
 */
import type { Cached, Finding } from '../../events/collab-event.ts';
import type { EvidenceQuotation, FindingVerdict } from '../../parsers/answers/read-verdicts.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { findMatches, type AnchorMatch, type Tier } from './anchor-match.ts';
import { resolvePath } from './anchor-path.ts';
import { loosen, readNumbered, readQuotations } from './anchor-quote.ts';

export interface Judgement {
  readonly id: string;
  readonly verdict: Finding['verdict'];
  /** The agent's reason; for a rejection, with the place and the lines found there. */
  readonly evidence: string;
  /** The earlier run that the verdict comes from. */
  readonly cached?: Cached;
}

/** The allowed sources of a quotation, in the state under review. */
export interface QuotableFiles {
  /** The finding's own file and those that the agent has read; their text need not be loaded. */
  readonly files: readonly DiffFile[];
  /** Loads the whole text of one of them, or the part in the change; null if it cannot be read. */
  readonly load: (file: DiffFile) => Promise<DiffFile | null>;
}

export async function judgeVerdict(
  finding: Pick<Finding, 'id' | 'path' | 'quote'>,
  { word, quotations, reason }: FindingVerdict,
  quotable: QuotableFiles,
): Promise<Judgement> {
  const said = shorten(reason);
  if (word === 'confirm') return { id: finding.id, verdict: 'confirmed', evidence: said };
  if (word === 'unsure') return { id: finding.id, verdict: 'unverified', evidence: `not sure: ${said}` };
  const checks = await Promise.all(quotations.map((quotation) => check(finding, quotation, quotable)));
  const proof = checks.find((checked) => checked.kind === 'found');
  if (proof !== undefined) return { id: finding.id, verdict: 'rejected', evidence: tell(said, proof) };
  const faults = checks.flatMap((checked) => (checked.kind === 'fault' ? [checked.fault] : []));
  const why = [...new Set(faults)].join('; ') || 'it quotes no code';
  return {
    id: finding.id,
    verdict: 'disputed',
    evidence: `its rejection does not hold: ${why}. It says: ${said}`,
  };
}

/** In characters; a reason is a sentence or two. */
const mostReason = 1000;

function shorten(reason: string): string {
  const text = reason.trim();
  return text.length > mostReason ? `${text.slice(0, mostReason)}…` : text;
}

type Checked =
  | { readonly kind: 'found'; readonly path: string; readonly match: AnchorMatch }
  /** Fits "its rejection does not hold: …". */
  | { readonly kind: 'fault'; readonly fault: string };

/** A quotation of a whole file would always contain a further line. */
const mostLines = 20;

async function check(
  finding: Pick<Finding, 'path' | 'quote'>,
  quotation: EvidenceQuotation,
  { files, load }: QuotableFiles,
): Promise<Checked> {
  const claimed = quotation.location?.path ?? finding.path;
  if (claimed === null) return fails('it does not say which file it quotes');
  const [named] = resolvePath(claimed, files);
  if (named === undefined)
    return fails(`it quotes ${claimed}, which is not the finding's file and was not read`);
  const file = await load(named);
  if (file === null) return fails(`${named.path} cannot be read at the reviewed state`);
  const match = findOnNewSide(file, quotation);
  if (match === null) return fails(`its quotation is not in ${named.path}`);
  if (match.quote.split('\n').length > mostLines) return fails(`it quotes more than ${mostLines} lines`);
  if (!addsALine(match, finding.quote)) return fails('it quotes only the lines of the finding');
  return { kind: 'found', path: named.path, match };
}

function fails(text: string): Checked {
  return { kind: 'fault', fault: text };
}

const tiers: readonly Tier[] = (['exact', 'loose'] as const).flatMap((exactness) =>
  (['changed', 'context'] as const).map((touches) => ({ exactness, touches, side: 'new', partial: false })),
);

/** Picks the place nearest to the claimed line if there are several. */
function findOnNewSide(file: DiffFile, { text, location }: EvidenceQuotation): AnchorMatch | null {
  const line = location?.startLine ?? 0;
  const readings = [...readQuotations(text), ...readNumbered(text).map(({ quotation }) => quotation)];
  for (const quotation of readings) {
    for (const tier of tiers) {
      const [nearest] = findMatches(file, quotation, tier).toSorted(
        (left, right) => Math.abs(left.startLine - line) - Math.abs(right.startLine - line),
      );
      if (nearest !== undefined) return nearest;
    }
  }
  return null;
}

/** Returns true if the quotation adds a line to the finding's own. A brace alone contradicts nothing. */
function addsALine({ quote }: AnchorMatch, ofFinding: string | null): boolean {
  const known = new Set((ofFinding ?? '').split('\n').map(loosen));
  return quote.split('\n').some((line) => /[\p{L}\p{N}]/u.test(line) && !known.has(loosen(line)));
}

function tell(reason: string, { path, match }: Extract<Checked, { kind: 'found' }>): string {
  const { startLine, endLine, quote } = match;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return `${reason}\n${path}:${lines}\n${quote}`;
}
