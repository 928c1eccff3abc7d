/** Our judgments about the findings of rules on the real changes, and the shares of useful ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { allRules } from '../../src/providers/static_review/rules/all-rules.ts';
import { passwordRule, secretRule } from '../../src/providers/static_review/scan-secrets.ts';
import { severities, type Severity } from '../../src/tags/severities.ts';

const judgmentSchema = z.strictObject({
  rule: z.string(),
  /** As `found-on-changes.ts` computes it. */
  place: z.string().regex(/^[0-9a-f]{12}$/),
  /** True if its author would change the code, or write down why not. */
  useful: z.boolean(),
  why: z.string().min(10),
});
export type Judgment = z.infer<typeof judgmentSchema>;

export interface RulePrecision {
  readonly name: string;
  readonly severity: Severity;
  readonly isDefault: boolean;
  readonly judged: number;
  readonly useful: number;
}

/** The least share of useful findings, of the default set and of each rule in it. */
export const leastUseful: Readonly<Record<Severity, number>> = { critical: 1, important: 0.8, minor: 0.6 };

export function readJudgments(): readonly Judgment[] {
  const text = readFileSync(join(import.meta.dirname, 'judged-findings.json'), 'utf8');
  return z.array(judgmentSchema).parse(JSON.parse(text));
}

/** Returns all rules, the worst severity first, then by name. */
export function rulePrecisions(judgments: readonly Judgment[]): readonly RulePrecision[] {
  const rules = [...allRules, { ...secretRule, onRequest: false }, { ...passwordRule, onRequest: false }];
  return rules
    .map(({ name, severity, onRequest }) => {
      const own = judgments.filter(({ rule }) => rule === name);
      const useful = own.filter((judgment) => judgment.useful).length;
      return { name, severity, isDefault: onRequest !== true, judged: own.length, useful };
    })
    .toSorted(
      (left, right) =>
        severities.indexOf(left.severity) - severities.indexOf(right.severity) ||
        (left.name < right.name ? -1 : 1),
    );
}

/** Returns the share of useful findings; 1 if there are none. */
export function usefulShare(precisions: readonly RulePrecision[]): number {
  const judged = precisions.reduce((sum, precision) => sum + precision.judged, 0);
  const useful = precisions.reduce((sum, precision) => sum + precision.useful, 0);
  return judged === 0 ? 1 : useful / judged;
}
