/** Lines above and below a hunk, from the text that the review kept; no buttons where there is none. */
import { advises, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { shared } from '../../packed/shared-place.ts';
import { faultsInAll } from '../faults-of.ts';
import { press, tabTo, untilFocused } from '../keys/keyboard.ts';
import { addressOf, servePair, startRun, untilEnded, type RunPlace } from '../served-page.ts';
import { test } from '../visitor.ts';
import { speak } from './fixed-review.ts';

/** Each reviews, and then works through several views. */
const patient = { timeout: 180_000 };

const lines = Array.from({ length: 120 }, (_, index) => `export const line${index + 1} = ${index + 1};`);
const textWith = (...changed: readonly number[]): string =>
  `${lines.map((line, index) => (changed.includes(index + 1) ? `${line} // new` : line)).join('\n')}\n`;

const world = shared(async (place) => {
  const clean = advises({ tag: '[REQUEST:REVIEW]' }, review('None'), { repeat: 'forever' });
  const served = await servePair(place, scriptOf(clean));
  place.write('.gitignore', 'pair.yaml\ncalls.log\n');
  place.write('src/long.js', textWith());
  place.git('add', '--all');
  place.git('commit', '-q', '-m', 'before');
  place.write('src/long.js', textWith(60, 75));
  place.git('commit', '-q', '-a', '-m', 'the change');
  return { place, served };
});

async function reviewed(conversation: string, fields: object = {}): Promise<RunPlace> {
  const { served } = world();
  const request = { kind: 'review', input: { commit: 'HEAD' }, verify: true, context: 'diff', ...fields };
  const run = [conversation, await startRun(served, conversation, request)] as const;
  await untilEnded(served, run);
  return run;
}

test(
  'with the keyboard alone, lines are opened above, below and between hunks',
  patient,
  async ({ visitor: { page }, expect }) => {
    const { place, served } = world();
    const run = await reviewed('kept');
    // What is in the folder by now does not matter.
    place.write('src/long.js', 'nothing\n');
    await page.goto(addressOf(served, run, 'review'));
    const shown = () => page.locator('tr.diff-line').count();
    const untilShown = (count: number) => expect.poll(shown, { timeout: 20_000 }).toBe(count);
    const above = page.getByRole('button', { name: 'Show 20 lines above' });
    await above.waitFor();
    // Each of both hunks has a removed line, an added one and six around them.
    await untilShown(16);
    await press(page, page.getByRole('button', { name: 'Show the 8 lines between' }), 'Enter');
    await untilShown(24);
    await untilFocused(page.getByRole('group', { name: 'Change of src/long.js' }));
    await tabTo(page, above);
    await page.keyboard.press('Enter');
    await untilShown(44);
    await untilFocused(above);
    expect(await page.locator('tr.diff-line').first().innerText()).toMatch(
      /37\s+37\s+export const line37 = 37;/,
    );
    await press(page, page.getByRole('button', { name: 'Show all 36 lines' }), 'Space');
    await untilShown(80);
    expect(await page.locator('tr.diff-line').first().innerText()).toMatch(/1\s+1\s+export const line1 = 1;/);
    const below = page.getByRole('button', { name: 'Show 20 lines below' });
    await press(page, below, 'Enter');
    await untilShown(100);
    await press(page, below, 'Enter');
    await page.getByRole('button', { name: 'Show 2 lines below' }).waitFor();
    await page.keyboard.press('Enter');
    await untilShown(122);
    expect(await page.locator('tr.diff-line').last().innerText()).toMatch(/120\s+120\s+export const line120/);
    expect(await page.locator('.gap-buttons').count()).toBe(0);
    await page.locator('tr.diff-line').first().locator('.hljs-keyword').first().waitFor();
    expect(await faultsInAll(page)).toEqual([]);
  },
);

test(
  'lines that cannot be had any more say so, in both languages, at 390 px',
  patient,
  async ({ visitor: { page }, expect }) => {
    const { served } = world();
    const run = await reviewed('gone');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(addressOf(served, run, 'review'));
    await page.getByRole('button', { name: 'Show the 8 lines between' }).waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await page.route('**/file?path=*', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'The review has no whole text' },
      }),
    );
    await page.getByRole('button', { name: 'Show the 8 lines between' }).click();
    await page
      .getByRole('alert')
      .getByText('The lines cannot be shown: The review has no whole text')
      .waitFor();
    await speak(page, 'ja');
    await page.getByRole('alert').getByText('行を表示できません:').waitFor();
    await page.getByRole('button', { name: '間の 8 行を表示' }).waitFor();
    expect(await faultsInAll(page)).toEqual([]);
  },
);

test('a review by rules alone has no such buttons', patient, async ({ visitor: { page }, expect }) => {
  const { served } = world();
  const run = await reviewed('static', { advisor: 'static_review', lead: 'none', verify: false });
  const diff = page.waitForResponse('**/diff');
  await page.goto(addressOf(served, run, 'review'));
  await diff;
  await page.locator('tr.diff-line').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.locator('.gap-buttons').count()).toBe(0);
});
