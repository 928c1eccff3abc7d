/** A finding is dismissed from the review on the page, with a reason. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { faultsInAll } from '../faults-of.ts';
import { press, untilFocused } from '../keys/keyboard.ts';
import { test } from '../visitor.ts';
import { faultyServer, openReview, reviewFaults, speak } from './fixed-review.ts';

/** Each reviews, and then works through several views. */
const patient = { timeout: 180_000 };
const world = faultyServer();

test(
  'with the keyboard alone, a finding is dismissed with a reason, and shown as dismissed',
  patient,
  async ({ visitor: { page }, expect }) => {
    const { place } = world();
    const reviewed = await reviewFaults(world(), 'dismissed');
    await openReview(page, world(), reviewed);
    const finding = page.getByRole('article', { name: 'One is zero' });
    await finding.getByRole('button', { name: 'Dismiss …' }).waitFor();
    await page.keyboard.press('n');
    await untilFocused(finding);
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: 'Dismiss the finding' });
    const reason = dialog.getByRole('textbox', { name: 'Why does it not count?' });
    await untilFocused(reason);
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('alert').getByText('Write a reason first.').waitFor();
    await untilFocused(reason);
    expect(await faultsInAll(page)).toEqual([]);
    await page.keyboard.type('<b>zero</b> is right');
    await press(page, dialog.getByRole('button', { name: 'Dismiss', exact: true }), 'Enter');
    const told = 'Dismissed, does not count in later reviews: <b>zero</b> is right';
    await finding.getByText(told).waitFor();
    await untilFocused(finding);
    expect(await finding.getByRole('button', { name: 'Dismiss …' }).count()).toBe(0);
    expect(place.read('collab.suppressions.yaml')).toContain('zero</b> is right');
    expect(place.read('.collab/history.jsonl')).toContain('One is zero');
    await page.reload();
    await finding.getByText(told).waitFor();
    expect(await faultsInAll(page)).toEqual([]);
  },
);

test(
  'a refusal is shown in the dialog, in both languages, at 390 px',
  patient,
  async ({ visitor: { page }, expect, onTestFinished }) => {
    const { place } = world();
    onTestFinished(() => rmSync(join(place.folder, 'collab.config.yaml'), { force: true }));
    const reviewed = await reviewFaults(world(), 'refused');
    await page.setViewportSize({ width: 390, height: 844 });
    await openReview(page, world(), reviewed);
    const finding = page.getByRole('article', { name: 'Two is three' });
    const dialog = page.getByRole('dialog');
    place.write('collab.config.yaml', 'suppressions: [\n');
    await finding.getByRole('button', { name: 'Dismiss …' }).click();
    await dialog.getByRole('textbox').fill('as agreed');
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('The finding was not dismissed.').waitFor();
    expect(await alert.innerText()).toContain('collab.config.yaml');
    expect(await faultsInAll(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await speak(page, 'ja');
    await finding.getByRole('button', { name: '却下 …' }).click();
    await dialog.getByRole('heading', { name: '指摘を却下' }).waitFor();
    await dialog.getByRole('textbox', { name: '数えない理由' }).fill('合意済み');
    await dialog.getByRole('button', { name: '却下する' }).click();
    await alert.getByText('指摘は却下されませんでした。').waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    place.write('collab.config.yaml', 'suppressions: known.yaml\n');
    await dialog.getByRole('button', { name: '却下する' }).click();
    await finding.getByText('却下済み、以後のレビューでは数えません: 合意済み').waitFor();
    expect(place.read('known.yaml')).toContain('合意済み');
  },
);
