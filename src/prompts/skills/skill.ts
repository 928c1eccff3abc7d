/**
 * A skill as a run uses it: its phases, the lead's task in each, and the additional sections of the advisor's answer.
 */
import { z } from 'zod';
import { phases } from '../../tags/tags.ts';

const sectionSchema = z.object({
  /** The name on the wire: `SECURITY_REVIEW`. */
  name: z.string(),
  /** Completes "In `## NAME`, …". */
  asks: z.string(),
});

export const skillSchema = z.object({
  name: z.string(),
  /** In the order of the protocol; an absent phase is skipped. */
  phases: z.array(
    z.object({
      phase: z.enum(phases),
      /** Markdown: the lead's task in this phase. */
      template: z.string(),
      /** Required sections of the advisor's answer in addition to the protocol's own. */
      sections: z.array(sectionSchema),
    }),
  ),
  limits: z.object({
    /** The number of the lead's consults in one round of the implementation. */
    consults: z.int().nonnegative(),
    /** The number of reviews before the run gives up. */
    review_rounds: z.int().positive(),
  }),
});
export type Skill = z.infer<typeof skillSchema>;
