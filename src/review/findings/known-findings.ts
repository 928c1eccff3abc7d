/** What `result.json` says about findings that were known before: from an earlier result, or from the suppression file. */
import { z } from 'zod';
import { outcomes } from '../../events/collab-event.ts';
import { severities } from '../../tags/tags.ts';

const count = z.int().nonnegative();

/** A finding of the baseline: enough to know it again, and to tell of it. */
export const formerFindingSchema = z.object({
  identity: z.string(),
  severity: z.enum(severities),
  title: z.string(),
  path: z.string().nullable(),
});

export const baselineReportSchema = z.object({
  /** The run whose result is the baseline. */
  run_id: z.string(),
  ended_at: z.iso.datetime().nullable(),
  /** `incomplete`: what that review did not come to see counts as new now. */
  outcome: z.enum(outcomes),
  /** Findings of this review that count: the baseline has none of them. */
  new: count,
  /** Findings that both have: listed with `baseline: true`, and not counted. */
  still_there: count,
  /** Findings of the baseline that are gone, in files that this review looked at as well as the baseline did. */
  fixed: z.array(formerFindingSchema),
  /** Findings of the baseline in files that this review did not look at: nothing is known about them. */
  not_looked_at: z.array(formerFindingSchema),
});
export type BaselineReport = z.infer<typeof baselineReportSchema>;

const suppressionEntrySchema = z.object({
  /** Of the entry in its file, from 1. */
  line: z.int().positive(),
  reason: z.string(),
  expires: z.iso.date().nullable(),
});

export const suppressionReportSchema = z.object({
  /** The file, as it was named. */
  file: z.string(),
  /** Findings that are suppressed: listed with `suppressed`, and not counted. */
  suppressed: count,
  /** Entries that had expired on the day when the run began, with how many findings count again for it. */
  expired: z.array(suppressionEntrySchema.extend({ findings: count })),
  /** Entries that fit no finding, and have not expired. */
  unused: z.array(suppressionEntrySchema),
});
export type SuppressionReport = z.infer<typeof suppressionReportSchema>;
