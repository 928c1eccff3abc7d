import type { Cached, ExchangeOutcome, FileStatus, SkippedBy } from '../../events/collab-event.ts';
import { changedLinesOf, countLines, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { Census, CensusFile } from '../census/census.ts';
import { groupBy } from '../group-by.ts';

/** The proof that a settled answer gives; the same words as the providers'. */
export const assurances = ['model', 'static', 'none'] as const;
export type Assurance = (typeof assurances)[number];

/**
 * The reasons that an exchange did not settle. The first five are the protocol's own limits, the others the agent's or
 * our fault.
 */
export const exchangeCauses = [
  'protocol',
  'time',
  'budget',
  'context',
  'silent',
  'cli_missing',
  'auth',
  'quota',
  'model',
  'options',
  'overloaded',
  'unreachable',
  'died',
  'internal',
] as const;
export type ExchangeCause = (typeof exchangeCauses)[number];

/** The facts about one exchange that decide the outcome of a review. */
export interface ExchangeReport {
  readonly name: string;
  readonly outcome: ExchangeOutcome;
  /** The reason that it did not settle; null if it did. */
  readonly cause: ExchangeCause | null;
  /** The message about it, with a remedy; null if there is none. */
  readonly detail: string | null;
  /** The lines that were in the prompts of the thread that settled. */
  readonly shown: readonly LineRange[];
  readonly assurance: Assurance;
  readonly promptDigest: string;
  readonly answerDigest: string | null;
  /** The source of its answer if no agent was called in this run; otherwise null. */
  readonly cached: Cached | null;
}

/** Proves that lines were in a prompt and that a whole answer came back; not that a model thought about them. */
export interface Receipt {
  readonly exchange: string;
  readonly promptDigest: string;
  readonly answerDigest: string | null;
  readonly ranges: readonly Omit<LineRange, 'path'>[];
  readonly cached: Cached | null;
}

export interface CoveredFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The reason for a skipped or failed file. */
  readonly reason: string | null;
  /** Set for a skipped file. */
  readonly skippedBy: SkippedBy | null;
  readonly receipts: readonly Receipt[];
}

/** Counts changed lines, added and removed; context does not count. */
export interface Coverage {
  /** The weakest assurance of any line; `none` if a line was seen by no agent, or only by a rehearsal. */
  readonly assurance: Assurance;
  readonly filesChanged: number;
  readonly linesChanged: number;
  /** Shown to an advisor in an exchange that settled. */
  readonly linesReviewed: number;
  /** Seen by rules only. */
  readonly linesScanned: number;
  /** Lines of files under review that no settled exchange saw. */
  readonly linesMissed: number;
  readonly files: readonly CoveredFile[];
}

/** Computes the coverage from the receipts; an answer's own claims about it do not count. */
export function computeCoverage(census: Census, exchanges: readonly ExchangeReport[]): Coverage {
  const settled = exchanges.filter(({ outcome }) => outcome === 'settled');
  const sights = sightsByPath(settled);
  const covered = census.files.map((file) => coverFile(file, sights.get(file.path) ?? []));
  const sum = (count: (file: Counted) => number) => covered.reduce((total, file) => total + count(file), 0);
  const linesReviewed = sum(({ reviewed }) => reviewed);
  const linesScanned = sum(({ scanned }) => scanned);
  return {
    assurance: weakest(settled, linesReviewed, linesScanned),
    filesChanged: census.filesChanged,
    linesChanged: census.linesChanged,
    linesReviewed,
    linesScanned,
    linesMissed: sum(({ missed }) => missed),
    files: covered.map(({ file }) => file),
  };
}

/** The part of one file that one exchange saw. */
interface Sight {
  readonly exchange: ExchangeReport;
  readonly ranges: readonly LineRange[];
}

interface Counted {
  readonly file: CoveredFile;
  readonly reviewed: number;
  readonly scanned: number;
  readonly missed: number;
}

function sightsByPath(exchanges: readonly ExchangeReport[]): ReadonlyMap<string, readonly Sight[]> {
  const sights = new Map<string, Sight[]>();
  for (const exchange of exchanges) {
    for (const [path, ranges] of groupBy(exchange.shown, (range) => range.path)) {
      sights.set(path, [...(sights.get(path) ?? []), { exchange, ranges }]);
    }
  }
  return sights;
}

function coverFile({ path, file, skipped, unseen: cut }: CensusFile, sights: readonly Sight[]): Counted {
  if (skipped !== null) {
    const { reason, by: skippedBy } = skipped;
    const uncovered = { path, status: 'skipped', reason, skippedBy, receipts: [] } as const;
    return { file: uncovered, reviewed: 0, scanned: 0, missed: 0 };
  }
  const changed = changedLinesOf([file]);
  const reviewed = sights.filter(({ exchange }) => exchange.assurance !== 'static');
  const notReviewed = subtractRanges(changed, rangesOf(reviewed));
  const unseen = subtractRanges(notReviewed, rangesOf(sights));
  const [total, missed] = [countLines(changed), countLines(unseen)];
  const scanned = countLines(notReviewed) - missed;
  const status = missed > 0 || cut !== null ? 'failed' : scanned > 0 ? 'scanned' : 'reviewed';
  const missing = missed > 0 ? `${missed} of ${total} changed lines were in no exchange that settled` : null;
  const reason = cut?.reason ?? missing;
  return {
    file: { path, status, reason, skippedBy: null, receipts: sights.map(receiptOf) },
    reviewed: total - scanned - missed,
    scanned,
    missed,
  };
}

function rangesOf(sights: readonly Sight[]): readonly LineRange[] {
  return sights.flatMap(({ ranges }) => ranges);
}

function receiptOf({ exchange, ranges }: Sight): Receipt {
  return {
    exchange: exchange.name,
    promptDigest: exchange.promptDigest,
    answerDigest: exchange.answerDigest,
    ranges: ranges.map(({ side, start, end }) => ({ side, start, end })),
    cached: exchange.cached,
  };
}

function weakest(settled: readonly ExchangeReport[], linesReviewed: number, linesScanned: number): Assurance {
  if (linesReviewed + linesScanned === 0) return 'none';
  if (settled.some(({ assurance }) => assurance === 'none')) return 'none';
  return linesScanned > 0 ? 'static' : 'model';
}
