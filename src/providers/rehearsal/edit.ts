/** A lead's change of one file in a rehearsal. */
import { z } from 'zod';

const path = z.string().min(1);

export const editSchema = z.union(
  [
    z.strictObject({ path, content: z.string() }),
    z.strictObject({ path, replace: z.strictObject({ from: z.string().min(1), to: z.string() }) }),
    z.strictObject({ path, delete: z.literal(true) }),
  ],
  { error: 'an edit has a path and one of content, replace: { from, to } and delete: true' },
);
export type ScriptedEdit = z.infer<typeof editSchema>;
