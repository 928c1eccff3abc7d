import type { Locator, Page } from 'playwright-core';

const mostStops = 80;

/** Presses Tab until it has the focus. */
export function tabTo(page: Page, wanted: Locator): Promise<void> {
  return stepTo(page, wanted, 'Tab');
}

/** Presses Shift and Tab until it has the focus. */
export function tabBackTo(page: Page, wanted: Locator): Promise<void> {
  return stepTo(page, wanted, 'Shift+Tab');
}

/** Goes there by Tab and presses the key. */
export async function press(page: Page, wanted: Locator, key: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

export function hasFocus(wanted: Locator): Promise<boolean> {
  return wanted.evaluateAll((found) => found.some((element) => element === document.activeElement));
}

/** What has the focus, where nothing has: BODY. */
export function focusIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { tagName, className } = document.activeElement ?? document.body;
    return [tagName, ...className.split(/\s+/)].filter(Boolean).join('.');
  });
}

async function stepTo(page: Page, wanted: Locator, key: string): Promise<void> {
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${wanted.toString()} from where it is: ${await focusIn(page)}`);
}
