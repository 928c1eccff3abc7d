import type { Cached, ExchangeOutcome, FileStatus } from '../../events/collab-event.ts';
import { changedLinesOf, countLines, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { Census, CensusFile } from '../census/census.ts';

/** What a settled answer proves; the same words as the providers'. */
export const assurances = ['model', 'static', 'none'] as const;
export type Assurance = (typeof assurances)[number];

/** Why an exchange did not settle. The first four are the protocol's own limits, the others the agent's or our fault. */
export const exchangeCauses = [
  'protocol',
  'time',
  'budget',
  'context',
  'cli_missing',
  'auth',
  'quota',
  'model',
  'options',
  'overloaded',
  'died',
  'internal',
] as const;
export type ExchangeCause = (typeof exchangeCauses)[number];

/** What the outcome of a review needs to know of one exchange. */
export interface ExchangeReport {
  readonly name: string;
  readonly outcome: ExchangeOutcome;
  /** Null where it settled. */
  readonly cause: ExchangeCause | null;
  /** What was said about it, with what to do; null where nothing was. */
  readonly detail: string | null;
  /** The lines that were in the prompts of the thread that settled. */
  readonly shown: readonly LineRange[];
  readonly assurance: Assurance;
  readonly promptDigest: string;
  readonly answerDigest: string | null;
  /** Where its answer came from, where nobody was asked in this run. */
  readonly cached: Cached | null;
}

/** Proves that lines were in a prompt and that a whole answer came back; not that anybody thought about them. */
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
  /** Of a skipped or failed file. */
  readonly reason: string | null;
  readonly receipts: readonly Receipt[];
}

/** Lines are changed lines: added and removed ones, context does not count. */
export interface Coverage {
  /** The weakest look that any line got; `none` where nobody saw one, or only a rehearsal did. */
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

/** Computes from the receipts what was looked at; what an answer says about it counts for nothing. */
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

/** What one exchange saw of one file. */
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
    for (const [path, ranges] of rangesByPath(exchange.shown)) {
      sights.set(path, [...(sights.get(path) ?? []), { exchange, ranges }]);
    }
  }
  return sights;
}

function rangesByPath(ranges: readonly LineRange[]): ReadonlyMap<string, readonly LineRange[]> {
  const groups = new Map<string, LineRange[]>();
  for (const range of ranges) {
    const group = groups.get(range.path);
    if (group === undefined) groups.set(range.path, [range]);
    else group.push(range);
  }
  return groups;
}

function coverFile({ path, file, skipped }: CensusFile, sights: readonly Sight[]): Counted {
  if (skipped !== null) {
    const uncovered = { path, status: 'skipped', reason: skipped.reason, receipts: [] } as const;
    return { file: uncovered, reviewed: 0, scanned: 0, missed: 0 };
  }
  const changed = changedLinesOf([file]);
  const reviewed = sights.filter(({ exchange }) => exchange.assurance !== 'static');
  const notReviewed = subtractRanges(changed, rangesOf(reviewed));
  const unseen = subtractRanges(notReviewed, rangesOf(sights));
  const [total, missed] = [countLines(changed), countLines(unseen)];
  const scanned = countLines(notReviewed) - missed;
  const status = missed > 0 ? 'failed' : scanned > 0 ? 'scanned' : 'reviewed';
  const reason = missed > 0 ? `${missed} of ${total} changed lines were in no exchange that settled` : null;
  return {
    file: { path, status, reason, receipts: sights.map(receiptOf) },
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
