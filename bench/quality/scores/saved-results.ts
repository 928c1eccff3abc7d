/** The file of `--out`: all that is needed to score again without a model. */
import { z } from 'zod';
import { findingSchema } from '../../../src/events/collab-event.ts';

const faultSchema = z.strictObject({
  id: z.string(),
  text: z.string(),
  path: z.string().nullable(),
  start_line: z.int().positive().nullable(),
  end_line: z.int().positive().nullable(),
  side: z.enum(['new', 'old']),
  severity: z.array(z.string()),
  words: z.array(z.string()),
});

const savedReviewSchema = z.strictObject({
  change: z.string(),
  /** Counted from 1. */
  run: z.int().positive(),
  outcome: z.string(),
  tokens: z.number(),
  /** US dollars; null if unknown. */
  cost_usd: z.number().nullable(),
  findings: z.array(findingSchema),
});
export type SavedReview = z.infer<typeof savedReviewSchema>;

/** Which known faults of its change a finding is about. */
export const judgmentSchema = z.strictObject({ key: z.string(), same: z.array(z.string()) });
export type Judgment = z.infer<typeof judgmentSchema>;

export const savedResultsSchema = z.strictObject({
  schema: z.literal('collab.quality/v1'),
  format: z.string(),
  advisor: z.string(),
  /** Further arguments for `collab review`. */
  arguments: z.array(z.string()),
  runs: z.int().positive(),
  changes: z.array(z.strictObject({ name: z.string(), faults: z.array(faultSchema) })),
  reviews: z.array(savedReviewSchema),
  judge: z.string(),
  judgments: z.array(judgmentSchema),
});
export type SavedResults = z.infer<typeof savedResultsSchema>;

/** Returns true for a review that came to its end. */
export function isReviewed({ outcome }: Pick<SavedReview, 'outcome'>): boolean {
  return outcome === 'clean' || outcome === 'findings';
}
