/**
 * Conditions of a script's turn. All given ones must match; a turn without any matches every call of the advisor but a
 * check of findings.
 */
import { z } from 'zod';
import { phases, requestTags } from '../../tags/tags.ts';
import { leadWorks, type Role } from '../contract/contract.ts';

export const whenSchema = z
  .strictObject({
    /** Default: `lead` if `work` is given, else `advisor`. */
    role: z.enum(['lead', 'advisor']).optional(),
    phase: z.enum(phases).optional(),
    /** Round of the phase in a workflow; 1 for the first. */
    round: z.int().positive().optional(),
    /** The purpose of the lead's turn; with `role: advisor`, `verify`: its check of findings. */
    work: z.enum(leadWorks).optional(),
    tag: z.enum(requestTags).optional(),
    /** Consult of the round; 1 for the first. */
    consult: z.int().positive().optional(),
    chunk: z.int().positive().optional(),
    /** Turn of the exchange, or of the lead's piece of work. */
    attempt: z.int().positive().optional(),
    contains: z.string().min(1).optional(),
  })
  .refine((when) => roleOf(when) === 'lead' || when.work === undefined || when.work === 'verify', {
    error: 'an advisor has no work but `verify`: leave `work` out, or say `role: lead`',
    path: ['work'],
  })
  .refine((when) => roleOf(when) === 'advisor' || !('tag' in when || 'chunk' in when || 'consult' in when), {
    error:
      'tag, chunk and consult are the advisor’s; a lead’s turn is selected by phase, round, work and contains',
    path: ['role'],
  })
  .default({});
export type When = z.infer<typeof whenSchema>;

export function roleOf(when: { readonly role?: Role | undefined; readonly work?: string | undefined }): Role {
  return when.role ?? (when.work === undefined ? 'advisor' : 'lead');
}
