/** The first view of a place: its frame before any large script, its fonts before its texts, its data once. */
import { readFileSync } from 'node:fs';
import { example } from '../../packed/place.ts';
import { addressOf, rehearsedReview, reviewedOnce, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());
const reviewed = reviewedOnce(world.served, 'first', readFileSync(example('checkout.diff'), 'utf8'));

test('the frame of the page is painted without its scripts, in the colors that the reader chose', async ({
  visitor: { page },
  expect,
}) => {
  await page.goto(world.served().url);
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  await page.route('**/main-*.js', (route) => route.abort());
  await page.reload();
  await page.getByText('collab', { exact: true }).waitFor();
  expect(await page.locator('.top-bar').evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.getByRole('combobox').count()).toBe(0);
});

test('the fonts of a run are requested before the scripts that draw its texts are there', async ({
  visitor: { page },
}) => {
  await page.route('**/main-*.js', () => undefined);
  const font = page.waitForRequest('**/jetbrains-mono-latin-*.woff2');
  await page.goto(addressOf(world.served(), await reviewed()), { waitUntil: 'commit' });
  await font;
});

test('the data, the events and the change of a run that has ended are requested once each', async ({
  visitor: { page },
  expect,
}) => {
  const run = await reviewed();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname.replace(/^.*runs/, '')));
  await page.goto(addressOf(world.served(), run));
  await page.locator('.review article.finding').first().waitFor();
  await page.getByText('All events are loaded').waitFor();
  const own = sent.filter((path) => path.startsWith(`/${run[1]}`));
  expect(own.filter((path) => /\/(events|diff)$|^\/[^/]*$/.test(path)).toSorted()).toEqual([
    `/${run[1]}`,
    `/${run[1]}/diff`,
    `/${run[1]}/events`,
  ]);
});
