/** A finding of a rule without a model, ours or another tool's: like any other, with its source. */
import { z } from 'zod';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { severities } from '../../tags/severities.ts';
import { placeIssue, type PlacedIssue } from './anchors.ts';

/** The form in a run's input and records; quotations are masked. */
export const ruleIssueSchema = z.object({
  rule: z.string(),
  /** The name of the other tool whose rule it is; absent for our own. */
  tool: z.string().optional(),
  severity: z.enum(severities),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  path: z.string(),
  side: z.enum(['new', 'old']),
  /** 1-based lines of `side`, both ends included. */
  startLine: z.int().positive(),
  endLine: z.int().positive(),
  quote: z.string(),
  /** If false, no model may reject it, only the owner's suppressions. */
  rejectable: z.boolean(),
});
export type RuleIssue = z.infer<typeof ruleIssueSchema>;

export interface PlacedRuleIssue extends PlacedIssue {
  readonly found: RuleIssue;
}

export function placeRuleIssues(
  issues: readonly RuleIssue[],
  files: readonly DiffFile[],
): readonly PlacedRuleIssue[] {
  return issues.map((found) => {
    const issue = issueOf(found);
    return { issue, place: placeIssue(issue, files), found };
  });
}

/** Returns the name in `Finding.source`. */
export function sourceOf({ rule, tool }: Pick<RuleIssue, 'rule' | 'tool'>): string {
  return tool === undefined ? `rule:${rule}` : `tool:${tool}${rule === '' ? '' : `/${rule}`}`;
}

/** Returns the finding in the form of an answer's issue. */
export function issueOf(found: Omit<RuleIssue, 'rejectable'>): ReviewIssue {
  const { severity, title, why, fix, path, side, startLine, endLine, quote } = found;
  return {
    severity,
    severityInferred: false,
    title,
    text: why,
    location: { path, startLine, endLine },
    quote: { text: quote, side },
    remedy: fix === '' ? null : fix,
  };
}
