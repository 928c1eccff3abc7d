/** The result of a fix as the job without a token leaves it: data that the publishing job does not trust. */
import { z } from 'zod';
import { fixFates } from '../../review/findings/judge-fixes.ts';

export const fixResultSchema = z.strictObject({
  schema: z.literal('collab.fix/v1'),
  run_id: z.string().max(200),
  /** The commit that the patch is for; null if the working tree had changes, or nothing was edited. */
  head: z
    .string()
    .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
    .nullable(),
  /** The fate of each finding, and the lead's reason. */
  findings: z.array(
    z.strictObject({
      id: z.string().max(20),
      fate: z.enum(fixFates),
      reason: z.string().max(2000).nullable(),
    }),
  ),
  /** A unified diff; null if no file was changed. */
  patch: z.string().max(1_000_000).nullable(),
});
export type FixResult = z.infer<typeof fixResultSchema>;
