/** States that are visible only for a while, or after a failure, are accessible, too. */
import type { Page } from 'playwright-core';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { serve } from '../../packed/serve/served.ts';
import { answerWith, contextStatus, endingWith } from '../context-run.ts';
import { faultsInAll } from '../faults-of.ts';
import { focusIn, press, tabBackTo } from '../keys/keyboard.ts';
import { addressOf, newFile, sharedServer, startRun, untilEnded } from '../served-page.ts';
import { test as placeTest } from '../served-visitor.ts';
import { test } from '../visitor.ts';

const forever = { repeat: 'forever' };
const asksForReview = (path: string) => ({ tag: '[REQUEST:REVIEW]', contains: path });
const world = sharedServer(
  scriptOf(
    leads({ work: 'converse' }, 'The answer is **one**, see [this](https://example.org) and `one.ts`.', {
      ...forever,
      messages: [{ tool: { name: 'Read', input: { file_path: 'one.ts' }, output: 'its lines' } }],
    }),
    { when: asksForReview('src/held'), ...forever, tools: [{ name: 'Grep' }], fault: 'never' },
    { when: asksForReview('failed.ts'), ...forever, fault: 'unavailable', code: 'auth' },
    advises(
      asksForReview('found.ts'),
      review(issue('Critical', 'It is wrong', 'export {};').replace('src/one.js', 'src/found.ts')),
      forever,
    ),
  ),
);

const states: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  [
    'a conversation with messages',
    async (page) => {
      await say(page, 'talked');
      await page.locator('.messages .message.assistant').waitFor();
    },
  ],
  ...(['warning', 'critical', 'blocked'] as const).map(
    (level) =>
      [
        `the banner of a context that is ${level}`,
        async (page: Page) => {
          await answerWith(page, endingWith(contextStatus(level, 90)));
          await say(page, `full-${level}`);
          await page.locator('.banner').waitFor();
        },
      ] as const,
  ),
  [
    'a run that goes on',
    async (page) => {
      await begin(page, 'held');
      await page.getByRole('button', { name: 'Cancel the run' }).waitFor();
    },
  ],
  [
    'the question whether a run is cancelled',
    async (page) => {
      await begin(page, 'held-too');
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'a run that waits for a decision',
    async (page) => {
      const run = await startRun(world.served(), 'gate', {
        kind: 'run',
        task: 'Write one.',
        phases: ['design'],
      });
      await page.goto(addressOf(world.served(), ['gate', run]));
      await page.getByRole('heading', { name: 'The run asks for your decision' }).waitFor();
    },
  ],
  [
    'a run that failed',
    async (page) => {
      await untilEnded(world.served(), ['failed', await begin(page, 'failed')]);
      await page.getByRole('tabpanel').getByText('Nothing was reviewed.').waitFor();
    },
  ],
  [
    'the keys of a review',
    async (page) => {
      const run = await begin(page, 'found');
      await untilEnded(world.served(), ['found', run]);
      await page.goto(addressOf(world.served(), ['found', run], 'review'));
      await page.locator('article.finding').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
];

test.for(states)(
  '%s has no serious accessibility fault, in light and dark, and fits 360 px',
  async ([, show], { visitor: { page }, expect }) => {
    await show(page);
    expect(await faultsInAll(page)).toEqual([]);
  },
);

placeTest(
  'the log-in has no serious fault, and is done and undone by keyboard alone',
  async ({ visitor: { page }, place, expect }) => {
    const made = await place.collab(['serve', 'token', 'create', '--tenant', 'acme']);
    const served = await serve(place, ['--require-token']);
    await page.goto(served.url);
    const token = page.getByLabel('Access token');
    await token.waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await press(page, token, 'w');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(made.stdout.trim());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Start something' }).waitFor();
    expect(await focusIn(page)).toBe('MAIN');
    expect(await faultsInAll(page)).toEqual([]);
    await tabBackTo(page, page.getByRole('button', { name: 'Log out' }));
    await page.keyboard.press('Enter');
    await token.waitFor();
    expect(await focusIn(page)).toBe('MAIN.login');
  },
);

async function say(page: Page, conversation: string): Promise<void> {
  await page.goto(`${world.served().url}/#/c/${conversation}`);
  await page.getByRole('textbox', { name: 'Your message' }).fill('What is it?');
  await page.keyboard.press('Enter');
}

/** A review of a file of that name, shown while it runs. @returns its id */
async function begin(page: Page, name: string): Promise<string> {
  const diff = newFile(`src/${name}.ts`, ['export {};']);
  const run = await startRun(world.served(), name, { kind: 'review', input: { diff } });
  await page.goto(addressOf(world.served(), [name, run]));
  return run;
}
