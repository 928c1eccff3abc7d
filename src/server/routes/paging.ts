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

/**
 * Returns one page of `items` in the order of their keys, greatest first: an order of their own, such as by time, would lose
 * items between two pages. @throws Refusal 422
 */
export function pageOf<Item>(
  context: Context,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Page<Item> {
  const { limit, before } = fitting(context.req.query(), pageQuerySchema);
  const rest = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => before === undefined || key < before)
    .toSorted((one, other) => (one.key < other.key ? 1 : -1));
  const taken = rest.slice(0, Number(limit));
  const next = taken.length === rest.length ? null : (taken.at(-1)?.key ?? null);
  return { items: taken.map(({ item }) => item), next };
}
