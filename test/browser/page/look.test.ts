/** The page's own fonts, and the script that it loads before it shows something. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
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

test('the start page, a conversation, the timeline and the review of a run load less than 200 kB of script each', async ({
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
  const review = await scriptOf(page, addressOf(served, ['look', run]), '.review .diff');
  expect(review).toBeGreaterThan(timeline);
  expect(review).toBeLessThan(mostScript);
});

test('the first finding and its code are in sight at 1440 × 900, with syntax colors, beside the list of findings', async ({
  visitor: { page },
  expect,
}) => {
  const served = world.served();
  const run = await startRun(served, 'sight', {
    kind: 'review',
    input: { diff: readFileSync(example('checkout.diff'), 'utf8') },
  });
  await untilEnded(served, ['sight', run]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(addressOf(served, ['sight', run]));
  const card = page.locator('.finding').first();
  await card.waitFor();
  const [list, code, finding] = await Promise.all(
    [page.locator('.finding-list'), page.locator('.diff-code-insert').first(), card].map(boxOf),
  );
  expect(list?.x).toBeLessThan((code?.x ?? 0) - 200);
  expect((code?.y ?? 900) + (code?.height ?? 0)).toBeLessThan(900);
  expect(finding?.y).toBeLessThan(860);
  await page.locator('.diff-code-insert .hljs-keyword').first().waitFor();
  const keyword = page.locator('.diff-code-insert .hljs-keyword').first();
  const colors = await Promise.all(
    [keyword, page.locator('.diff-code-insert').first()].map(async (one) =>
      one.evaluate((element) => getComputedStyle(element).color),
    ),
  );
  expect(colors[0]).not.toBe(colors[1]);
});

test.for([1265, 1440].flatMap((width) => (['en', 'ja'] as const).map((language) => ({ width, language }))))(
  'at $width px in $language, the tools of a review are one row, and the list beside it breaks paths after slashes',
  async ({ width, language }, { visitor: { page }, expect }) => {
    const served = world.served();
    const diff = readFileSync(example('checkout.diff'), 'utf8');
    const conversation = `row-${width}-${language}`;
    const run = await startRun(served, conversation, { kind: 'review', input: { diff } });
    await untilEnded(served, [conversation, run]);
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript((name) => localStorage.setItem('collab.language', name), language);
    await page.goto(addressOf(served, [conversation, run]));
    await page.locator('.finding').first().waitFor();
    await page.evaluate(async () => document.fonts.ready);
    const tools = page.locator('.review-tools > :visible');
    const boxes = await Promise.all((await tools.all()).map(boxOf));
    expect(boxes.length).toBeGreaterThan(4);
    const middles = boxes.map((box) => (box === null ? 0 : box.y + box.height / 2));
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
    const parts = page.locator('.conversations [aria-current] .unbroken');
    expect(await parts.allTextContents()).toEqual(['db/', 'migrations/', '0042_cart_cleanup.sql']);
    for (const box of await Promise.all((await parts.all()).map(boxOf))) expect(box?.height).toBeLessThan(30);
  },
);

test('the start page lists recent runs with outcome, severities and cost, and leads to them', async ({
  visitor: { page },
  expect,
}) => {
  const served = world.served();
  const diff = readFileSync(example('checkout.diff'), 'utf8');
  const run = await startRun(served, 'recent', { kind: 'review', input: { diff }, cache: false });
  await untilEnded(served, ['recent', run]);
  await page.goto(served.url);
  const recent = page.getByRole('region', { name: 'Recent runs' });
  const row = recent.getByRole('link').first();
  await row.waitFor();
  expect(await row.innerText()).toMatch(
    /Diff: db\/migrations\/0042_cart_cleanup\.sql \+12\s+Review · (?:now|.* ago) · \$0\.023\s+▲ 8 critical\s+◆ 9 important\s+● 2 minor\s+Findings/,
  );
  await recent.getByRole('button', { name: 'Unfinished' }).click();
  await recent.getByText('None of the recent runs is of this kind.').waitFor();
  await recent.getByRole('button', { name: 'With findings' }).click();
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'Diff' }).waitFor();
});

test('an unknown run has a page of its own, in both languages', async ({ visitor: { page }, expect }) => {
  const served = world.served();
  await page.goto(addressOf(served, ['nothing', 'no-such-run']));
  await page.getByRole('heading', { level: 1, name: 'There is no such run' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the run' }).count()).toBe(0);
  expect(await page.getByRole('tab').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
  await page.getByRole('heading', { level: 1, name: '実行が見つかりません' }).waitFor();
  await page.getByRole('link', { name: 'トップページ' }).last().click();
  await page.getByRole('heading', { level: 1, name: '新しく始める' }).waitFor();
});

/** @returns the size, as sent, of all scripts that were loaded until `first` was shown, with an empty cache */
async function scriptOf(page: Page, address: string, first: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator(first).first().waitFor();
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name, initiatorType }) => name.endsWith('.js') && initiatorType !== 'other')
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  if (sizes.length === 0 || sizes.includes(0))
    throw new Error(`no size of a script is known: ${sizes.join(' ')}`);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function boxOf(locator: Locator) {
  const found = await locator.boundingBox();
  if (found === null) throw new Error('it is not drawn');
  return found;
}
