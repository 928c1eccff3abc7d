/** The parts of a page that a reader looks at or wants to click keep their places. */
import { readFileSync } from 'node:fs';
import { example } from '../../packed/place.ts';
import { addressOf, rehearsedReview, reviewedOnce, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());
const reviewed = reviewedOnce(world.served, 'still', readFileSync(example('checkout.diff'), 'utf8'));

test('the tools of a review stay in sight, and cover no head of a file, however many lines they need', async ({
  visitor: { page },
  expect,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(addressOf(world.served(), await reviewed()));
  const file = page.locator('.file').first();
  await file.waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '26px'));
  const tools = page.locator('.review-tools');
  const lines = new Set(
    await tools
      .locator('> *')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top / 30))),
  );
  expect(lines.size).toBeGreaterThan(1);
  await file.evaluate((element) => scrollTo({ top: element.getBoundingClientRect().top + scrollY + 100 }));
  expect((await tools.boundingBox())?.y).toBe(0);
  const name = file.getByRole('heading').getByRole('button');
  await name.click();
  await file.locator('h3 button[aria-expanded=false]').waitFor();
});

test('the buttons beside each other in the tools of a review are equally high', async ({
  visitor: { page },
  expect,
}) => {
  await page.goto(addressOf(world.served(), await reviewed()));
  const tools = page.locator('.review-tools');
  const heights = await Promise.all(
    ['Next finding', 'Keys', 'Copy findings as a prompt'].map(
      async (name) => (await tools.getByRole('button', { name, exact: true }).boundingBox())?.height,
    ),
  );
  expect(heights).toEqual([heights[0], heights[0], heights[0]]);
});
