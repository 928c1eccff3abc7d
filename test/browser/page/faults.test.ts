/** Faults that the page had: broken names of phases, a button over a form, English in Japanese, several notices for one cause. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { EventBody } from '../../../src/events/collab-event.ts';
import { said, started } from '../../fixtures/screens/event-streams.ts';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { example } from '../../packed/place.ts';
import {
  addressOf,
  rehearsedReview,
  servePair,
  sharedServer,
  startRun,
  untilEnded,
  writeRun,
} from '../served-page.ts';
import { test as placeTest } from '../served-visitor.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());
const asked: EventBody = {
  type: 'question.asked',
  name: 'it',
  kind: 'clarification',
  text: 'Which of them?',
  schema: { enum: ['yes', 'no'] },
};

function phasesOf(): readonly EventBody[] {
  const names = ['requirements', 'design', 'implementation', 'review'] as const;
  return names.map((phase) => ({ type: 'phase.started', phase, round: 1 }));
}

test('the names of phases are never broken, at any width and in both languages', async ({
  visitor,
  expect,
}) => {
  const { page } = visitor;
  writeRun(world.place(), 'phases', [started(), ...phasesOf(), ...said('Hello.')]);
  for (const language of ['en', 'ja']) {
    await page.goto(addressOf(world.served(), ['phases', 'phases'], 'timeline'));
    await page.getByRole('combobox').first().selectOption(language);
    for (const width of [360, 390, 520, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const names = page.locator('.phases strong');
      await names.nth(3).waitFor();
      const lines = await names.evaluateAll((all) =>
        all.map((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return [
            name.textContent,
            new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size,
          ];
        }),
      );
      expect(
        lines.map(([, count]) => count),
        `${language} ${width}`,
      ).toEqual([1, 1, 1, 1]);
      expect(await widthOf(page), `${language} ${width}`).toBeLessThanOrEqual(width);
    }
  }
});

test('at 390 px no button covers the form of a question, however long the timeline is', async ({
  visitor: { page },
  expect,
}) => {
  const talk = Array.from({ length: 60 }, (_, index) => said(`Line ${index} of a long talk.`)).flat();
  writeRun(world.place(), 'narrow', [started(), ...talk, asked]);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(addressOf(world.served(), ['narrow', 'narrow'], 'timeline'));
  const controls = page.locator('.open-questions').locator('input, textarea, button');
  await controls.first().waitFor();
  // Each control, at the lower edge of the window, where the button was.
  const covered = await controls.evaluateAll((all) =>
    all.flatMap((control) => {
      control.scrollIntoView({ block: 'end' });
      const { x, y, width, height } = control.getBoundingClientRect();
      const points = [0.1, 0.5, 0.9].map((part) =>
        document.elementFromPoint(x + width * part, y + height / 2),
      );
      const isFree = points.every(
        (found) => found !== null && (control.contains(found) || found.contains(control)),
      );
      return isFree ? [] : [control.outerHTML];
    }),
  );
  expect(covered).toEqual([]);
});

test('an unknown conversation has a page of its own, in both languages', async ({ visitor: { page } }) => {
  await page.goto(`${world.served().url}/#/c/no-such-conversation`);
  await page.getByRole('heading', { level: 1, name: 'There is no such conversation' }).waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
  await page.getByRole('heading', { level: 1, name: '会話が見つかりません' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: '新しい会話' }).click();
  await page.getByRole('button', { name: '新しい会話を開く' }).click();
  await page.getByRole('heading', { level: 1, name: '新しい会話' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: '新しい会話' }).waitFor();
});

test('the Japanese page has no English title and no English reason for what the server says itself', async ({
  visitor: { page },
  expect,
}) => {
  const diff = readFileSync(example('checkout.diff'), 'utf8');
  const run = await startRun(world.served(), 'japanese', { kind: 'review', input: { diff }, cache: false });
  await untilEnded(world.served(), ['japanese', run]);
  await page.goto(world.served().url);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
  await page.getByRole('region', { name: '最近の実行' }).getByText('差分').first().waitFor();
  await page.goto(addressOf(world.served(), ['japanese', run]));
  await page.getByRole('heading', { level: 1, name: '差分' }).waitFor();
  const reasons = page.getByRole('list', { name: '理由' }).getByRole('listitem');
  await reasons.first().waitFor();
  expect(await reasons.first().innerText()).toMatch(/^失敗とみなす重大度の指摘があります/);
});

placeTest(
  'a review is two clicks from the start page, with the agents as choices',
  async ({ visitor: { page }, place, expect }) => {
    const served = await servePair(place, rehearsedReview());
    place.write('total.ts', 'export const total = 1;\n');
    await page.goto(served.url);
    await page.getByRole('tab', { name: 'Review' }).click();
    const advisor = page.getByRole('combobox', { name: 'Advisor' });
    await advisor
      .getByRole('option', { name: 'Rules without a model: ready' })
      .waitFor({ state: 'attached' });
    expect(
      await advisor.evaluate(
        (select) => select instanceof HTMLSelectElement && select.selectedOptions[0]?.text,
      ),
    ).toBe('Automatic');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Working tree' }).waitFor();
  },
);

placeTest(
  'a conversation whose run waits for an answer says so in the list, and not that it is running',
  async ({ visitor: { page }, place, expect }) => {
    const served = await servePair(place, scriptOf());
    await startRun(served, 'waits', { kind: 'run', task: 'Write one.' });
    await page.goto(served.url);
    const row = page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: 'Write one.' });
    await row.getByText('waits for you').waitFor({ timeout: 60_000 });
    expect(await row.innerText()).not.toContain('running');
  },
);

placeTest(
  'a lost server is one notice, typed text stays, and the page is whole again when the server is back',
  async ({ visitor: { page }, place, expect }) => {
    const served = await servePair(place, rehearsedReview());
    await page.goto(`${served.url}/#/c/lost`);
    const input = page.getByRole('textbox', { name: 'Your message' });
    await input.fill('What is it?');
    await served.kill();
    const notice = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
    await notice.waitFor({ timeout: 60_000 });
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await input.inputValue()).toBe('What is it?');
    await served.start();
    await notice.getByRole('button', { name: 'Connect again' }).click();
    await notice.waitFor({ state: 'detached', timeout: 60_000 });
    expect(await input.inputValue()).toBe('What is it?');
  },
);

function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
