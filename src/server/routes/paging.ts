/** Pages of long lists: `?limit=` and, for the next page, `?before=` with the previous page's `next`. */
import type { Context } from 'hono';
import { z } from 'zod';
import { fitting } from './read-body.ts';

export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'is not a number from 1 to 999')
    .default('50'),
  before: z.string().max(400).optional(),
});

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The `before` of the next page; null on the last one. */
  readonly next: string | null;
}

/** Returns one page of `items`, sorted by key, greatest first. @throws Refusal 422 */
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
