/**
 * The part of `result.json` about findings that were known before: from an earlier result, or from the suppression
 * file.
 */
import { z } from 'zod';
import { outcomes } from '../../events/collab-event.ts';
import { severities } from '../../tags/severities.ts';

const count = z.int().nonnegative();

/** A finding of the baseline: enough to recognize and report it. */
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
  /** `incomplete`: a finding in lines that the earlier review missed counts as new. */
  outcome: z.enum(outcomes),
  /** Findings of this review that count because the baseline does not have them. */
  new: count,
  /** Findings in both: listed with `baseline: true`, and not counted. */
  still_there: count,
  /** Findings of the baseline that are gone, in files that this review looked at as thoroughly as the baseline did. */
  fixed: z.array(formerFindingSchema),
  /** Findings of the baseline in files that this review did not look at; their state is unknown. */
  not_looked_at: z.array(formerFindingSchema),
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
