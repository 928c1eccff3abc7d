/** The findings of a review with only the keyboard: moving between them, folding them, and copying them. */
import type { Page } from 'playwright-core';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { findsTwo, twoLines } from '../found-review.ts';
import { focusIn, hasFocus, press, tabBackTo, tabTo, untilFocused } from './keyboard.ts';
import { addressOf, newFile, open, reviewedOnce, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(scriptOf(findsTwo));
const reviewed = reviewedOnce(world.served, 'keys', twoLines);

test('the findings of a review: next and previous, by severity, as a prompt, with help', async ({
  visitor: { page },
  expect,
}) => {
  await openReview(page);
  const [first, second] = findingsOf(page);
  await page.keyboard.press('n');
  await untilFocused(first);
  await page.keyboard.press('n');
  await untilFocused(second);
  await page.keyboard.press('p');
  await untilFocused(first);
  await page.keyboard.press('?');
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  await untilFocused(close);
  await page.keyboard.press('Escape');
  await untilFocused(first);
  await page.keyboard.press('?');
  await untilFocused(close);
  await page.keyboard.press('Space');
  await untilFocused(first);
  const minor = page.getByRole('checkbox', { name: 'Minor (1)' });
  await tabBackTo(page, minor);
  await page.keyboard.press('Space');
  await second.waitFor({ state: 'detached' });
  expect(await hasFocus(minor)).toBe(true);
  const copy = page.getByRole('button', { name: 'Copy findings as a prompt' });
  await press(page, copy, 'Enter');
  await expect.poll(() => copied(page)).toContain('It is two');
  expect(await hasFocus(copy)).toBe(true);
});

test('the same by buttons and links, each of which leads to the finding', async ({ visitor: { page } }) => {
  await openReview(page);
  const [first, second] = findingsOf(page);
  await press(page, page.getByRole('button', { name: 'Next finding' }), 'Enter');
  await untilFocused(first);
  const previous = page.getByRole('button', { name: 'Previous finding' });
  await tabBackTo(page, previous);
  await page.keyboard.press('Space');
  await untilFocused(second);
  const keys = page.getByRole('button', { name: 'Keys', exact: true });
  await tabBackTo(page, keys);
  await page.keyboard.press('Enter');
  await untilFocused(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await untilFocused(keys);
  const list = page.getByRole('navigation', { name: 'Findings' });
  await press(page, list.getByRole('link', { name: 'It is two' }), 'Enter');
  await untilFocused(first);
});

test('a finding is quoted and copied, as its link and as its code', async ({ visitor: { page }, expect }) => {
  await openReview(page);
  const [first] = findingsOf(page);
  await page.keyboard.press('n');
  await untilFocused(first);
  const quotation = first.locator('summary', { hasText: 'Quotation' });
  const code = first.getByRole('group', { name: 'Code' });
  await press(page, quotation, 'Enter');
  await code.waitFor();
  await press(page, first.getByRole('button', { name: 'Copy code' }), 'Enter');
  await expect.poll(() => copied(page)).toBe('export const one = 2;');
  await tabTo(page, code);
  await tabBackTo(page, quotation);
  await page.keyboard.press('Space');
  await code.waitFor({ state: 'hidden' });
  await press(page, first.getByRole('button', { name: 'Copy as a prompt' }), 'Space');
  await expect.poll(() => copied(page)).toContain('It is two');
  expect(await copied(page)).not.toContain('It has no comment');
  await press(page, first.getByRole('button', { name: 'Copy link' }), 'Space');
  await expect.poll(() => copied(page)).toBe(page.url());
});

test('skipped and reviewed files are unfolded; a file is selected, folded, and shown to its last line', async ({
  visitor: { page },
  expect,
}) => {
  const many = Array.from({ length: 1000 }, (_, index) => `// ${index}`);
  const long = `${twoLines}${newFile('src/long.js', many)}`;
  await openReview(page, reviewedOnce(world.served, 'long', long));
  const fact = page.getByText('1,002 of 1,002 changed lines reviewed');
  await press(page, page.locator('summary', { hasText: 'What was looked at, and how' }), 'Enter');
  await fact.waitFor();
  await page.keyboard.press('Space');
  await fact.waitFor({ state: 'hidden' });
  await press(page, page.locator('.change-files summary', { hasText: 'reviewed' }), 'Enter');
  await press(page, page.getByRole('table').getByRole('button', { name: 'src/long.js' }), 'Enter');
  const file = page.getByRole('article', { name: 'src/long.js' });
  const head = file.getByRole('heading').getByRole('button');
  await untilFocused(head);
  const lines = file.locator('tr.diff-line');
  await page.keyboard.press('Enter');
  await lines.first().waitFor({ state: 'detached' });
  await page.keyboard.press('Space');
  await lines.first().waitFor();
  await press(page, file.getByRole('button', { name: 'Show 400 lines' }), 'Enter');
  await expect.poll(() => lines.count()).toBe(500);
  expect(await focusIn(page)).toBe('DIV.scrolling');
  await press(page, file.getByRole('button', { name: 'Show 400 lines' }), 'Space');
  await press(page, file.getByRole('button', { name: 'Show 100 lines' }), 'Enter');
  await expect.poll(() => lines.count()).toBe(1000);
  expect(await focusIn(page)).toBe('DIV.scrolling');
});

test('findings that do not count are unfolded and selected', async ({ visitor: { page } }) => {
  await page.route(/\/runs\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(/("severity":"minor")/, '$1,"baseline":true');
    await route.fulfill({ response, body: text });
  });
  await openReview(page);
  const [, second] = findingsOf(page);
  const list = page.getByRole('navigation', { name: 'Findings' });
  await press(page, list.locator('summary', { hasText: '1 finding that does not count' }), 'Enter');
  await press(page, list.getByRole('link', { name: 'It has no comment' }), 'Enter');
  await untilFocused(second);
});

async function openReview(page: Page, made = reviewed): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, world.served(), addressOf(world.served(), await made()));
  await page.locator('article.finding').first().waitFor();
}

/** The worst first. */
function findingsOf(page: Page) {
  const of = (title: string) => page.locator('article.finding', { hasText: title });
  return [of('It is two'), of('It has no comment')] as const;
}

function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
