/** Everything that can be done, by keyboard alone; the focus is seen at every stop, and is never lost. */
import type { Page } from 'playwright-core';
import { advises, issue, leads, review, scriptOf } from '../contract/workflow/workflow-script.ts';
import { focusIn, hasFocus, press, tabBackTo, tabTo } from './keyboard.ts';
import { addressOf, sharedServer, startRun, untilEnded } from './served-page.ts';
import { test } from './visitor.ts';

const forever = { repeat: 'forever' };
const world = sharedServer(
  scriptOf(
    leads({ work: 'converse' }, 'The answer is **one**.', {
      ...forever,
      messages: [{ tool: { name: 'Read', input: { file_path: 'one.ts' }, output: 'its lines' } }],
    }),
    { when: { tag: '[REQUEST:REVIEW]', contains: 'held.ts' }, ...forever, fault: 'never' },
    advises(
      { tag: '[REQUEST:REVIEW]', contains: 'src/one.js' },
      review(
        [
          issue('Critical', 'It is two', 'export const one = 2;'),
          issue('Minor', 'It has no comment', 'export const two = 2;'),
        ].join('\n'),
      ),
      { ...forever, messages: [{ tool: { name: 'Grep', input: { pattern: 'one' }, output: 'one line' } }] },
    ),
  ),
);

const diff = newFile('src/one.js', ['export const one = 2;', 'export const two = 2;']);

test('a conversation is begun, a message is sent, and the next one follows without a search for the input', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, '/');
  await press(page, page.getByRole('button', { name: 'Open a new conversation' }), 'Enter');
  await page.getByRole('heading', { name: 'New conversation' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  const input = page.getByRole('textbox', { name: 'Your message' });
  await tabTo(page, input);
  await page.keyboard.type('What is it?');
  await page.keyboard.press('Enter');
  await page.getByText('The answer is one.').first().waitFor();
  await expect.poll(() => hasFocus(input)).toBe(true);
  await page.keyboard.type('And again?');
  await tabTo(page, page.getByRole('button', { name: 'Send' }));
  await page.keyboard.press('Space');
  await expect.poll(() => page.locator('.messages .message.assistant').count()).toBe(2);
  await expect.poll(() => hasFocus(input)).toBe(true);
});

test('a run is cancelled by its dialog, which takes the focus and gives it back', async ({
  visitor: { page },
  expect,
}) => {
  const run = await startRun(world.served(), 'held', {
    kind: 'review',
    input: { diff: newFile('src/held.ts', ['export {};']) },
  });
  await open(page, addressOf(world.served(), ['held', run]));
  const cancel = page.getByRole('button', { name: 'Cancel the run' });
  await press(page, cancel, 'Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this run?' });
  await dialog.waitFor();
  const goOn = dialog.getByRole('button', { name: 'Let it go on' });
  const confirm = dialog.getByRole('button', { name: 'Cancel it' });
  await expect.poll(() => hasFocus(goOn)).toBe(true);
  await page.keyboard.press('Tab');
  expect(await hasFocus(confirm)).toBe(true);
  await page.keyboard.press('Tab');
  expect(await hasFocus(goOn)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(cancel)).toBe(true);
  await page.keyboard.press('Space');
  await dialog.waitFor();
  await tabTo(page, confirm);
  await page.keyboard.press('Enter');
  await page.locator('.run-head .chip').getByText('Cancelled', { exact: true }).waitFor();
  expect(await focusIn(page)).toBe('HEADER.run-head');
});

test('a review is started from its form', async ({ visitor: { page }, expect }) => {
  await open(page, '/');
  await tabTo(page, page.getByRole('tab', { name: 'Talk' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const tab = page.getByRole('tab', { name: 'Review', selected: true });
  await tab.waitFor();
  expect(await hasFocus(tab)).toBe(true);
  await tabTo(page, page.getByRole('combobox', { name: 'What is reviewed' }));
  await page.keyboard.type('A diff');
  await tabTo(page, page.getByRole('textbox', { name: 'Diff' }));
  await page.keyboard.insertText(diff);
  await tabTo(page, page.getByRole('combobox', { name: 'Counts as failed from' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByRole('textbox', { name: 'Look above all at' }));
  await page.keyboard.type('numbers');
  await press(page, page.getByRole('button', { name: 'Start' }), 'Enter');
  await page.locator('.run-head').getByText('Findings', { exact: true }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
});

test('a task is started, its questions and its gate are answered', async ({ visitor: { page }, expect }) => {
  await open(page, '/#/new/run');
  await tabTo(page, page.getByRole('textbox', { name: 'The task' }));
  await page.keyboard.type('Write one.');
  await press(page, page.getByRole('checkbox', { name: 'Implementation' }), 'Space');
  await press(page, page.getByRole('checkbox', { name: 'Review' }), 'Space');
  await press(page, page.getByRole('button', { name: 'Start' }), 'Space');
  await page.getByRole('heading', { name: 'The advisor has questions before it goes on' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  const send = page.getByRole('button', { name: 'Send the answer' });
  const answer = page.getByRole('textbox', { name: 'Your answer' });
  await press(page, send, 'Enter');
  await expect.poll(() => hasFocus(answer)).toBe(true);
  await page.keyboard.type('The first one.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'The run asks for your decision' }).waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
  await tabTo(page, page.getByRole('radio', { name: 'Approve and go on' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByRole('textbox', { name: 'What to change' }));
  await tabBackTo(page, page.getByRole('radio', { name: 'Have it revised' }));
  await page.keyboard.press('ArrowUp');
  await press(page, send, 'Enter');
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
});

test('a run is read: its tabs, tool calls, exchanges and prompts', async ({ visitor: { page }, expect }) => {
  await open(page, await reviewed());
  await tabTo(page, page.getByRole('tab', { name: 'Review' }));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const timeline = page.getByRole('tab', { name: 'Timeline', selected: true });
  await timeline.waitFor();
  expect(await hasFocus(timeline)).toBe(true);
  await press(page, page.locator('.fold-head', { hasText: 'Grep' }), 'Enter');
  await page.getByText('one line').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('one line').waitFor({ state: 'detached' });
  await tabBackTo(page, timeline);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.getByRole('tab', { name: 'Exchanges', selected: true }).waitFor();
  await press(page, page.getByRole('tabpanel').locator('.fold-head', { hasText: 'The prompt' }), 'Enter');
  await page.getByText('[REQUEST:REVIEW]').nth(1).waitFor();
  expect(await focusIn(page)).toContain('fold-head');
  await tabBackTo(page, page.getByRole('tab', { name: 'Exchanges' }));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Usage', selected: true }).waitFor();
});

test('the findings of a review: from one to the next, by severity, as a prompt, with help', async ({
  visitor: { page },
  expect,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, await reviewed());
  const first = page.locator('article.finding', { hasText: 'It is two' });
  const second = page.locator('article.finding', { hasText: 'It has no comment' });
  await first.waitFor();
  await page.keyboard.press('n');
  await expect.poll(() => hasFocus(first)).toBe(true);
  await page.keyboard.press('n');
  await expect.poll(() => hasFocus(second)).toBe(true);
  await page.keyboard.press('p');
  await expect.poll(() => hasFocus(first)).toBe(true);
  await page.keyboard.press('?');
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  await expect.poll(() => hasFocus(close)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(first)).toBe(true);
  const minor = page.getByRole('checkbox', { name: 'Minor (1)' });
  await tabBackTo(page, minor);
  await page.keyboard.press('Space');
  await second.waitFor({ state: 'detached' });
  expect(await hasFocus(minor)).toBe(true);
  const copy = page.getByRole('button', { name: 'Copy findings as a prompt' });
  await press(page, copy, 'Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('It is two');
  expect(await hasFocus(copy)).toBe(true);
});

test('language and theme are chosen, the content is reached by one key', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, '/');
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

test('the focus is seen at every stop of every view', async ({ visitor: { page }, expect }) => {
  const view = await reviewed();
  for (const address of ['/', '/#/new/review', '/#/new/run', '/#/c/keys', view, `${view}/timeline`])
    expect([address, await stopsWithoutSign(page, address)]).toEqual([address, []]);
});

let findings: Promise<string> | null = null;
/** A review with two findings, that has ended; made once. */
function reviewed(): Promise<string> {
  findings ??= (async () => {
    const run = [
      'keys',
      await startRun(world.served(), 'keys', { kind: 'review', input: { diff } }),
    ] as const;
    await untilEnded(world.served(), run);
    return addressOf(world.served(), run);
  })();
  return findings;
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(new URL(address, world.served().url).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Goes through all stops by Tab; each has to look different with the focus than without. */
async function stopsWithoutSign(page: Page, address: string): Promise<readonly string[]> {
  await page.goto('about:blank');
  await open(page, address);
  await page.waitForLoadState('networkidle');
  const unseen: string[] = [];
  const seen = new Set<string>();
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab');
    const { name, before, now } = await page.evaluate(lookAtStop);
    if (seen.has(name) || name.includes('<body')) break;
    seen.add(name);
    if (now.startsWith('none') || now === before) unseen.push(name);
  }
  if (seen.size < 5) throw new Error(`only ${seen.size} stops: ${address}`);
  return unseen;
}

/** What has the focus, and its outline with it and without. */
function lookAtStop(): { name: string; before: string; now: string } {
  const element = document.activeElement ?? document.body;
  const outline = () => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, outlineColor].join(' ');
  };
  const all = [...document.querySelectorAll('*')];
  const now = outline();
  if (element instanceof HTMLElement) element.blur();
  const before = outline();
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return { name: `${all.indexOf(element)} ${element.outerHTML.slice(0, 80)}`, before, now };
}

function newFile(path: string, lines: readonly string[]): string {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}`;
  return `${head}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}
