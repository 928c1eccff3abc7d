export interface KnownFault {
  readonly fault: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly severity: readonly string[];
  readonly words: readonly string[];
}

export interface JudgedFinding {
  readonly title: string;
  readonly body: string;
  readonly severity: string;
  readonly path: string | null;
  readonly start_line: number | null;
  readonly end_line: number | null;
  readonly side: string;
  readonly verdict: string;
}

export interface Score {
  readonly faults: number;
  readonly found: number;
  readonly findings: number;
  readonly placed: number;
  readonly graded: number;
  readonly missed: readonly string[];
  readonly besides: readonly Pick<JudgedFinding, 'severity' | 'title' | 'path' | 'start_line'>[];
}

export interface ScoredChange {
  readonly name: string;
  readonly outcome: string;
  readonly tokens: number;
  readonly cost_usd: number | null;
  readonly score: Score;
}

export interface Total {
  readonly changes: number;
  readonly reviewed: number;
  readonly recall: number | null;
  readonly precision: number | null;
  readonly lines: number | null;
  readonly severity: number | null;
  readonly quiet: number | null;
  readonly tokens: number;
  readonly cost_usd: number | null;
}

export interface Difference {
  readonly name: string;
  readonly won: readonly string[];
  readonly lost: readonly string[];
  /** Of findings that are no known fault. */
  readonly noise: number;
}

interface Scored {
  readonly changes: readonly ScoredChange[];
}

export function scoreChange(faults: readonly KnownFault[], findings: readonly JudgedFinding[]): Score;
export function total(changes: readonly ScoredChange[]): Total;
export function compare(before: Scored, after: Scored): readonly Difference[];
