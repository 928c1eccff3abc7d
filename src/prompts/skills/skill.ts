/** A skill as a run uses it: which phases there are, what the lead is asked in each, what the advisor must answer besides. */
import { z } from 'zod';
import { phases } from '../../tags/tags.ts';

const sectionSchema = z.object({
  /** As written on the wire: `SECURITY_REVIEW`. */
  name: z.string(),
  /** Completes "In `## NAME`, …". */
  asks: z.string(),
});

export const skillSchema = z.object({
  name: z.string(),
  /** In the drawn order; a phase that is not here is left out. */
  phases: z.array(
    z.object({
      phase: z.enum(phases),
      /** Markdown: what the lead is asked to do in this phase. */
      template: z.string(),
      /** Required sections of the advisor's answer besides the protocol's own. */
      sections: z.array(sectionSchema),
    }),
  ),
  limits: z.object({
    /** Consults of the lead in one round of the implementation. */
    consults: z.int().nonnegative(),
    /** Reviews until the run gives up. */
    review_rounds: z.int().positive(),
  }),
});
export type Skill = z.infer<typeof skillSchema>;
