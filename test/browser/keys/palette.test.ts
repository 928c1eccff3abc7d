/** The palette: places and settings by their names, with the keyboard alone. */
import { faultsInAll } from '../faults-of.ts';
import { findsTwo, twoLines } from '../found-review.ts';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { reviewedOnce, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';
import { untilFocused } from './keyboard.ts';

const world = sharedServer(scriptOf(findsTwo));
const reviewed = reviewedOnce(world.served, 'palette', twoLines);

test('finds a run by letters of its title, and goes there', async ({ visitor: { page }, expect }) => {
  const [, run] = await reviewed();
  await page.goto(world.served().url);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.press('Control+k');
  const wanted = page.getByRole('combobox');
  await untilFocused(wanted);
  await page
    .getByRole('option', { name: /^Diff: / })
    .first()
    .waitFor();
  expect(await faultsInAll(page)).toEqual([]);
  await page.keyboard.type('onejs');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash.includes(run));
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('changes theme and language, and returns the focus when it is left', async ({
  visitor: { page },
  expect,
}) => {
  await page.goto(world.served().url);
  const opener = page.getByRole('button', { name: 'Search' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await untilFocused(page.getByRole('combobox'));
  await page.keyboard.type('nothing fits this');
  await page.getByText('Nothing fits.').waitFor();
  await page.keyboard.press('Escape');
  await untilFocused(opener);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('theme dark');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('日本語');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '検索' }).waitFor();
});
