/**
 * The part of `result.json` about findings that were known before: from an earlier result, or from the suppression
 * file.
 */
import { z } from 'zod';
import { anchorSchema, outcomes } from '../../events/collab-event.ts';
import { claimClasses } from '../../tags/claims.ts';
import { severities } from '../../tags/severities.ts';

const count = z.int().nonnegative();

const reportedFindingSchema = z.object({
  identity: z.string(),
  severity: z.enum(severities),
  title: z.string(),
  path: z.string().nullable(),
});

/** A finding of the baseline: enough to recognize and report it. */
export const formerFindingSchema = reportedFindingSchema.extend({
  /** Omitted in inputs of version 0.1.0, which recognized findings by their identity alone. */
  quote: z.string().nullable().optional(),
  anchor: anchorSchema.optional(),
  source: z.string().optional(),
  claim: z.enum(claimClasses).optional(),
  /** The place of its line now: its file, only a line added elsewhere, or neither; absent if that is not known. */
  line_now: z.enum(['there', 'moved', 'gone']).optional(),
});
export type FormerFinding = z.infer<typeof formerFindingSchema>;

export const baselineReportSchema = z.object({
  /** The run whose result is the baseline. */
  run_id: z.string(),
  ended_at: z.iso.datetime().nullable(),
  /** `incomplete`: a finding in lines that the earlier review missed counts as new. */
  outcome: z.enum(outcomes),
  /** Findings of this review that count because the baseline does not have them. */
  new: count,
  /** Findings in both: listed with `baseline: true`, and not counted. */
  still_there: count,
  /** Findings of the baseline whose line is gone, in files that this review looked at as thoroughly as the baseline did. */
  fixed: z.array(reportedFindingSchema),
  /** Findings in such files that this review did not report, though their line may be there. Omitted in version 0.1.0. */
  not_seen_again: z.array(reportedFindingSchema).optional(),
  /** Findings of the baseline in files that this review did not look at; their state is unknown. */
  not_looked_at: z.array(reportedFindingSchema),
});
export type BaselineReport = z.infer<typeof baselineReportSchema>;

const suppressionEntrySchema = z.object({
  /** The line of the entry in its file, from 1. */
  line: z.int().positive(),
  reason: z.string(),
  expires: z.iso.date().nullable(),
});

export const suppressionReportSchema = z.object({
  /** The file name as the user wrote it. */
  file: z.string(),
  /** Findings that are suppressed: listed with `suppressed`, and not counted. */
  suppressed: count,
  /** Entries that had expired when the run started, each with the number of findings that count again. */
  expired: z.array(suppressionEntrySchema.extend({ findings: count })),
  /** Entries that match no finding and have not expired. */
  unused: z.array(suppressionEntrySchema),
});
export type SuppressionReport = z.infer<typeof suppressionReportSchema>;
