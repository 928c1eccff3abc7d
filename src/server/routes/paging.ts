/** Long lists come in pieces: `?limit=` and, for what follows, `?before=` with the `next` of the piece before. */
import type { Context } from 'hono';
import { z } from 'zod';
import { fitting } from './read-body.ts';

export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'is no number from 1 to 999')
    .default('50'),
  before: z.string().max(400).optional(),
});

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null where nothing follows. */
  readonly next: string | null;
}

/** `items` in the order of their keys, the greatest first. @throws Refusal 422 */
export function pageOf<Item>(
  context: Context,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Page<Item> {
  const { limit, before } = fitting(context.req.query(), pageQuerySchema);
  const rest = before === undefined ? items : items.filter((item) => keyOf(item) < before);
  const taken = rest.slice(0, Number(limit));
  const last = taken.at(-1);
  return { items: taken, next: last === undefined || taken.length === rest.length ? null : keyOf(last) };
}
