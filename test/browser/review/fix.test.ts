/** Findings are fixed from the review on the page: chosen, fixed in a copy, shown as a patch, applied. */
import { faultsInAll } from '../faults-of.ts';
import { press, tabTo, untilFocused } from '../keys/keyboard.ts';
import { addressOf, startRun } from '../served-page.ts';
import { test } from '../visitor.ts';
import { faultyServer, fixedFile, openReview, reviewFaults, speak } from './fixed-review.ts';

/** Each reviews, and then works through several views. */
const patient = { timeout: 180_000 };
const world = faultyServer();

test(
  'a fix that cannot start says why in the dialog, in both languages, at 390 px',
  patient,
  async ({ visitor: { page }, expect }) => {
    const { served } = world();
    const reviewed = await reviewFaults(world(), 'refused');
    const [conversation, run] = reviewed;
    const fix = { kind: 'fix', run, findings: ['F1'] };
    const begun = await startRun(served, conversation, fix);
    await page.goto(addressOf(served, [conversation, begun]));
    await page.getByRole('heading', { name: 'The run asks for your decision' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await openReview(page, world(), reviewed);
    await page.getByRole('status').getByText('A fix of findings waits for your answer.').waitFor();
    await page.getByRole('article', { name: 'Two is three' }).getByRole('button', { name: 'Fix …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Fix 1 finding' }).click();
    await dialog.getByRole('alert').getByText('Another run of this conversation has not ended.').waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await speak(page, 'ja');
    await page.getByText('指摘の修正があなたの回答を待っています。').waitFor();
    await page.getByRole('button', { name: '指摘の修正 …' }).click();
    await dialog.getByRole('heading', { name: '指摘の修正' }).waitFor();
    await dialog.getByRole('button', { name: '修正', exact: true }).click();
    await dialog.getByRole('alert').getByText('指摘を選んでください。').waitFor();
    await tabTo(page, dialog.getByRole('checkbox').first());
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: '1 件を修正' }).click();
    await dialog.getByRole('alert').getByText('この会話の別の実行がまだ終わっていません。').waitFor();
    expect(await faultsInAll(page)).toEqual([]);
  },
);

test(
  'with the keyboard alone, two findings are fixed and their fate is shown at the review',
  patient,
  async ({ visitor: { page }, expect, onTestFinished }) => {
    const { place } = world();
    onTestFinished(() => {
      place.git('checkout', '--', 'src/one.js');
    });
    const reviewed = await reviewFaults(world(), 'fixed');
    await openReview(page, world(), reviewed);
    await page.keyboard.press('n');
    await untilFocused(page.getByRole('article', { name: 'One is zero' }));
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Fix findings' });
    const [first, second] = [/One is zero/, /Two is three/].map((name) =>
      dialog.getByRole('checkbox', { name }),
    );
    await untilFocused(dialog.getByRole('checkbox').first());
    expect([await first?.isChecked(), await second?.isChecked()]).toEqual([true, false]);
    await page.keyboard.press('Escape');
    await untilFocused(page.getByRole('article', { name: 'One is zero' }));
    await page.keyboard.press('f');
    await press(page, dialog.getByRole('checkbox', { name: /Two is three/ }), 'Space');
    await press(page, dialog.getByRole('button', { name: 'Fix 2 findings' }), 'Enter');
    await page.getByRole('heading', { name: 'The run asks for your decision' }).waitFor();
    const asked = page.getByRole('group', { name: 'What is asked' });
    await asked.getByText('-export const one = 0;').waitFor();
    expect(place.read('src/one.js')).toContain('one = 0');
    await press(page, page.getByRole('radio', { name: 'Apply the changes to my files' }), 'Space');
    await press(page, page.getByRole('button', { name: 'Send the answer' }), 'Enter');
    const result = page.getByRole('region', { name: 'Result of the fix' });
    await result.getByText('The patch was applied to your files.').waitFor();
    await result.getByText('The lead refused to fix it: two is three here.').waitFor();
    expect(place.read('src/one.js')).toBe(fixedFile);
    await openReview(page, world(), reviewed);
    await page
      .getByRole('article', { name: 'One is zero' })
      .getByText(/^Fixed: the line is gone/)
      .waitFor();
    const refused = page.getByRole('article', { name: 'Two is three' });
    await refused.getByText(/The lead refused to fix it: two is three here/).waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await press(page, refused.getByRole('link', { name: 'Open the fix' }), 'Enter');
    await result.waitFor();
  },
);
