/**
 * The page used with only the keyboard: its settings, its forms, and that every control is a tab stop with a visible
 * focus.
 */
import type { Page } from 'playwright-core';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { findsTwo, twoLines } from '../found-review.ts';
import { focusIn, hasFocus, moveToTab, press, stopsOf, tabBackTo, tabTo } from './keyboard.ts';
import { addressOf, open, reviewedOnce, sharedServer, startRun } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(scriptOf(findsTwo));
const reviewed = reviewedOnce(world.served, 'keys', twoLines);

test('a review is started from its form', async ({ visitor: { page }, expect }) => {
  await open(page, world.served(), '/');
  await tabTo(page, page.getByRole('tab', { name: 'Conversation' }));
  await moveToTab(page, 'ArrowRight', 'Review');
  await page.keyboard.press('Enter');
  const tab = page.getByRole('tab', { name: 'Review', selected: true });
  await tab.waitFor();
  expect(await hasFocus(tab)).toBe(true);
  await tabTo(page, page.getByRole('combobox', { name: 'What is reviewed' }));
  await page.keyboard.type('A diff');
  await tabTo(page, page.getByRole('textbox', { name: 'Diff' }));
  await page.keyboard.insertText(twoLines);
  await tabTo(page, page.getByRole('combobox', { name: 'Fails at severity' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByRole('textbox', { name: 'Focus on' }));
  await page.keyboard.type('numbers');
  await tabTo(page, page.getByRole('combobox', { name: 'Advisor' }));
  await page.keyboard.type('Other');
  await tabTo(page, page.getByRole('textbox', { name: 'Advisor, typed' }));
  await page.keyboard.type('rehearsal:pair.yaml');
  await tabTo(page, page.getByRole('combobox', { name: 'Lead' }));
  await page.keyboard.type('Other');
  await tabTo(page, page.getByRole('textbox', { name: 'Lead, typed' }));
  await page.keyboard.type('none');
  const begun = bodyOf(page, '**/runs');
  await press(page, page.getByRole('button', { name: 'Start' }), 'Enter');
  await page.locator('.run-head').getByText('Findings', { exact: true }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  expect(await begun).toEqual({
    kind: 'review',
    input: { diff: twoLines },
    fail_on: 'important',
    focus: 'numbers',
    advisor: 'rehearsal:pair.yaml',
    lead: 'none',
  });
});

test('a task is started from its form, with selected phases and without gates', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, world.served(), '/');
  await tabTo(page, page.getByRole('tab', { name: 'Conversation' }));
  await moveToTab(page, 'ArrowLeft', 'Task');
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('textbox', { name: 'The task' }));
  await page.keyboard.type('Write one.');
  for (const phase of ['Requirements', 'Implementation', 'Review'])
    await press(page, page.getByRole('checkbox', { name: phase }), 'Space');
  await press(page, page.getByRole('checkbox', { name: 'Pass every gate without asking me' }), 'Space');
  const begun = bodyOf(page, '**/runs');
  await press(page, page.getByRole('button', { name: 'Start' }), 'Space');
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  expect(await begun).toEqual({ kind: 'run', task: 'Write one.', phases: ['design'], yes: true });
});

test('language and theme are chosen, and one key skips to the content', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, world.served(), '/');
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('button', { name: 'Skip to the content' }))).toBe(true);
  await page.keyboard.press('Enter');
  expect(await focusIn(page)).toBe('MAIN');
  await tabBackTo(page, page.getByRole('combobox', { name: 'Theme' }));
  await page.keyboard.type('Dark');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  const language = page.getByRole('combobox', { name: /Language|言語/ });
  await tabBackTo(page, language);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: '新しく始める' }).waitFor();
  expect(await hasFocus(language)).toBe(true);
});

test('links lead from one place to another and back to the first page', async ({
  visitor: { page },
  expect,
}) => {
  const run = await reviewed();
  await open(page, world.served(), '/');
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const link = list.locator(`a[href="#/c/${run[0]}"]`);
  await press(page, link, 'Enter');
  await page.getByRole('navigation', { name: 'Runs of this conversation' }).waitFor();
  expect(await hasFocus(link)).toBe(true);
  const runs = page.getByRole('navigation', { name: 'Runs of this conversation' }).getByRole('link');
  await press(page, runs, 'Enter');
  await page.getByRole('tab', { name: 'Review', selected: true }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  await press(page, page.getByRole('link', { name: 'To the conversation' }), 'Enter');
  await runs.waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  await tabBackTo(page, list.getByRole('link', { name: 'New', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Start something' }).waitFor();
  await page.goBack();
  await runs.waitFor();
  await tabBackTo(page, page.getByRole('link', { name: 'collab: Start page' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Start something' }).waitFor();
});

test('a failed list can be reloaded, and its older entries are loaded page by page', async ({
  visitor: { page },
  expect,
}) => {
  const lists = /\/conversations\?limit=\d+$/;
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await reviewed();
  await page.route(lists, (route) => route.fulfill({ status: 503, json: { detail: 'Not now.' } }));
  await open(page, world.served(), '/');
  await list.getByRole('alert').getByText('Not now').waitFor();
  await page.unroute(lists);
  await page.route(/\/conversations\?limit=(?:50|100)$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace('"next":null', '"next":"older"') });
  });
  await press(page, list.getByRole('button', { name: 'Try again' }), 'Enter');
  await list.getByRole('alert').waitFor({ state: 'detached' });
  expect(await focusIn(page)).toBe('NAV.conversations');
  const older = list.getByRole('button', { name: 'Show older ones' });
  const more = page.waitForResponse(/limit=100$/);
  await press(page, older, 'Space');
  await more;
  expect(await hasFocus(older)).toBe(true);
  await page.keyboard.press('Enter');
  await older.waitFor({ state: 'detached' });
  expect(await focusIn(page)).toBe('NAV.conversations');
});

test('an unreachable server is asked again', async ({ visitor: { page }, expect }) => {
  const session = '**/api/session';
  await page.route(session, (route) => route.abort());
  await open(page, world.served(), '/');
  await page.getByRole('alert').waitFor();
  await page.unroute(session);
  await press(page, page.getByRole('button', { name: 'Try again' }), 'Enter');
  await page.getByRole('heading', { name: 'Start something' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
});

const views: readonly (readonly [string, () => Promise<string>])[] = [
  ['the first page', async () => '/'],
  ['the start of a review', async () => '/#/new/review'],
  ['the start of a task', async () => '/#/new/run'],
  ['a conversation', async () => `/#/c/${(await reviewed())[0]}`],
  ['a review', async () => addressOf(world.served(), await reviewed())],
  ['a timeline', async () => addressOf(world.served(), await reviewed(), 'timeline')],
  ['the exchanges', async () => addressOf(world.served(), await reviewed(), 'exchanges')],
  ['the usage', async () => addressOf(world.served(), await reviewed(), 'usage')],
  [
    'a gate',
    async () => {
      const task = { kind: 'run', task: 'Write one.', phases: ['design'] };
      return addressOf(world.served(), ['gate', await startRun(world.served(), 'gate', task)]);
    },
  ],
];

test.for(views)(
  'each control of %s is a tab stop, and the focus is visible at every stop',
  async ([what, address], { visitor: { page }, expect }) => {
    await open(page, world.served(), await address());
    // Progress is never silent.
    if (what === 'a gate') await page.getByRole('radio').first().waitFor();
    else await page.waitForLoadState('networkidle');
    const { passed, unseen, missed } = await stopsOf(page);
    expect({ unseen, missed }).toEqual({ unseen: [], missed: [] });
    expect(passed).toBeGreaterThan(5);
  },
);

/** The next request to that address. */
async function bodyOf(page: Page, address: string): Promise<unknown> {
  const request = await page.waitForRequest(address);
  return request.postDataJSON();
}
