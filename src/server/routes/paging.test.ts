import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pageOf } from './paging.ts';

test('each item is on one page, however the list is ordered', async () => {
  expect(await readPages(['c', 'd', 'a', 'b'])).toEqual([
    ['d', 'c'],
    ['b', 'a'],
  ]);
});

const pageSchema = z.object({ items: z.array(z.string()), next: z.string().nullable() });

async function readPages(listed: readonly string[]) {
  const application = new Hono().get('/', (context) => context.json(pageOf(context, listed, (item) => item)));
  const pages: (readonly string[])[] = [];
  for (let next: string | null = ''; next !== null;) {
    const response = await application.request(`/?limit=2${next === '' ? '' : `&before=${next}`}`);
    const page = pageSchema.parse(await response.json());
    pages.push(page.items);
    next = page.next;
  }
  return pages;
}
