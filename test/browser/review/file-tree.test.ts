/** The files of a change by folder, beside its lines. */
import { readFileSync } from 'node:fs';
import { example } from '../../packed/place.ts';
import { faultsInAll } from '../faults-of.ts';
import { addressOf, rehearsedReview, reviewedOnce, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());
const reviewed = reviewedOnce(world.served, 'tree', readFileSync(example('checkout.diff'), 'utf8'));

test('folders hold their files with counts of findings; a filter leaves what fits, and a name opens its lines', async ({
  visitor: { page },
  expect,
}) => {
  await page.goto(addressOf(world.served(), await reviewed(), 'review'));
  await page.getByRole('group', { name: 'Beside the change' }).getByRole('button', { name: 'Files' }).click();
  const tree = page.getByRole('navigation', { name: 'Changed files by folder' });
  await tree.locator('summary').getByText('src/', { exact: true }).waitFor();
  const rows = tree.locator('li:not(:has(details))');
  expect(await rows.count()).toBe(13);
  expect(await rows.filter({ hasText: 'payment.ts' }).innerText()).toMatch(
    /payment\.ts\s+▲ 1\s+Critical\s+◆ 1\s+Important/,
  );
  expect(await rows.filter({ hasText: 'package-lock.json' }).innerText()).toContain('skipped');
  expect(await faultsInAll(page)).toEqual([]);
  await tree.getByRole('searchbox', { name: 'Filter files' }).fill('REFUND');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('button', { name: 'refund.ts' }).click();
  const file = page.locator('.file').filter({ hasText: 'src/checkout/refund.ts' }).first();
  await expect.poll(() => file.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await tree.getByRole('searchbox').fill('nowhere');
  await tree.getByText('No file fits.').waitFor();
});
