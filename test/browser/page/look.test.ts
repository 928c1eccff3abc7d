/** The page's own fonts, and the script that it loads before it shows something. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { addressOf, rehearsedReview, sharedServer, startRun, untilEnded } from '../served-page.ts';
import { example } from '../../packed/place.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());
const mostScript = 200_000;

test('texts are set in the fonts of the package, whose files the page loads from its server', async ({
  visitor: { page },
  expect,
}) => {
  const fonts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.woff2')) fonts.push(new URL(response.url()).origin);
  });
  await page.goto(world.served().url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(async () => document.fonts.ready);
  const families = await page.evaluate(() =>
    [...document.fonts].map(({ family }) => family.replaceAll('"', '')),
  );
  expect(families).toEqual(expect.arrayContaining(['Inter Variable', 'JetBrains Mono Variable']));
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"Inter Variable"/);
  expect(fonts.length).toBeGreaterThan(0);
  expect(new Set(fonts)).toEqual(new Set([new URL(world.served().url).origin]));
});

test('the start page, a conversation and the timeline of a run load less than 200 kB of script each', async ({
  visitor: { page },
  expect,
}) => {
  const served = world.served();
  const run = await startRun(served, 'look', {
    kind: 'review',
    input: { diff: readFileSync(example('checkout.diff'), 'utf8') },
  });
  await untilEnded(served, ['look', run]);
  const home = await scriptOf(page, served.url, 'main h1');
  const conversation = await scriptOf(page, `${served.url}/#/c/look`, 'main h1');
  const timeline = await scriptOf(page, addressOf(served, ['look', run], 'timeline'), '.run-head');
  expect(home).toBeLessThan(mostScript * 0.6);
  expect(conversation).toBeLessThan(mostScript);
  expect(timeline).toBeLessThan(mostScript);
});

/** @returns the compressed size of all scripts that were loaded until `first` was shown, with an empty cache */
async function scriptOf(page: Page, address: string, first: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator(first).first().waitFor();
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  );
  if (scripts.length === 0) throw new Error('the page loaded no script');
  const bodies = await Promise.all(scripts.map(async (url) => (await fetch(url)).bytes()));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}
