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

/** Moves to the control by Tab and presses the key. */
export async function press(page: Page, wanted: Locator, key: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

/** Moves within a group of tabs: Radix moves the focus a moment after the key, and another key would come too early. */
export async function moveToTab(page: Page, key: string, name: string): Promise<void> {
  await page.keyboard.press(key);
  await untilFocused(page.getByRole('tab', { name }));
}

/** Opens a fold by Enter and closes it by the space bar; the focus stays on its head. */
export async function unfoldAndFold(head: Locator, content: Locator): Promise<void> {
  const page = head.page();
  await press(page, head, 'Enter');
  await content.waitFor();
  await page.keyboard.press('Space');
  await content.waitFor({ state: 'hidden' });
  if (!(await hasFocus(head)))
    throw new Error(`${head.toString()} has lost the focus to ${await focusIn(page)}`);
}

/** Waits until the control has the focus. */
export function untilFocused(wanted: Locator): Promise<void> {
  return wanted.and(wanted.page().locator(':focus')).waitFor({ timeout: 10_000 });
}

export function hasFocus(wanted: Locator): Promise<boolean> {
  return wanted.evaluateAll((found) => found.some((element) => element === document.activeElement));
}

/** The focused element; BODY if there is none. */
export function focusIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { tagName, className } = document.activeElement ?? document.body;
    return [tagName, ...className.split(/\s+/)].filter(Boolean).join('.');
  });
}

async function stepTo(page: Page, wanted: Locator, key: string): Promise<void> {
  await wanted.first().waitFor();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${wanted.toString()} from where it is: ${await focusIn(page)}`);
}

export interface Stops {
  readonly passed: number;
  /** Controls without a visible focus. */
  readonly unseen: readonly string[];
  /** Controls at which Tab does not stop. */
  readonly missed: readonly string[];
}

/** Visits all stops of Tab, from the beginning of the page until one repeats. */
export async function stopsOf(page: Page): Promise<Stops> {
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  const unseen: string[] = [];
  let passed = 0;
  for (; passed < mostStops; passed += 1) {
    await page.keyboard.press('Tab');
    const { name, isAgain, isSeen } = await page.evaluate(lookAtStop);
    if (isAgain) break;
    if (!isSeen) unseen.push(name);
  }
  return { passed, unseen, missed: await page.evaluate(missedControls) };
}

/** It must look different with the focus than without it. */
function lookAtStop(): { name: string; isAgain: boolean; isSeen: boolean } {
  const element = document.activeElement ?? document.body;
  const name = element.outerHTML.slice(0, 80);
  const isAgain = element === document.body || element.hasAttribute('data-stop');
  const outline = () => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, outlineColor].join(' ');
  };
  const now = outline();
  if (element instanceof HTMLElement) element.blur();
  const before = outline();
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  element.setAttribute('data-stop', '');
  return { name, isAgain, isSeen: !now.startsWith('none') && now !== before };
}

/** A group of tabs or radio buttons is one stop; arrow keys reach its other members. */
function missedControls(): readonly string[] {
  const controls =
    'a, button, input, select, textarea, summary, [onclick], [contenteditable], ' +
    '[role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=radio], [role=combobox]';
  const shown = [...document.querySelectorAll(controls)].filter(
    (element) => element.checkVisibility() && !element.matches(':disabled, [aria-disabled=true]'),
  );
  const missed = shown.filter((element) => {
    const group = element.matches('[role=tab], [role=radio], [type=radio]')
      ? element.closest('[role=tablist], fieldset')
      : null;
    return group === null ? !element.hasAttribute('data-stop') : group.querySelector('[data-stop]') === null;
  });
  return missed.map(({ outerHTML }) => outerHTML.slice(0, 80));
}
