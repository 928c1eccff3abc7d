/** The page shows the reasons that stop a pair: agents that cannot run, and a context that is full. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { scriptOf, type Turn } from '../../contract/workflow/workflow-script.ts';
import { example } from '../../packed/place.ts';
import { addressOf, servePair, startRun } from '../served-page.ts';
import { test } from '../served-visitor.ts';

test('a review without an available advisor has failed, and says why', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const turns = [{ fault: 'unavailable', code: 'auth', message: 'Log in to Codex.', repeat: 'forever' }];
  const served = await servePair(place, { turns });
  const input = { diff: readFileSync(example('checkout.diff'), 'utf8') };
  const run = await startRun(served, 'failing', { kind: 'review', input });
  await page.goto(addressOf(served, ['failing', run]));
  const head = page.locator('.run-head');
  await head.getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('tabpanel').getByText('Log in to Codex').first().waitFor();
  await page.goto(`${served.url}/#/c/failing`);
  await page.getByRole('navigation', { name: 'Runs of this conversation' }).getByText('Failed').waitFor();
  expect(await page.getByRole('main').getByText('Clean', { exact: true }).count()).toBe(0);
});

test('an open page reports by itself that its review failed, and how to continue', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const late = { fault: 'unavailable', code: 'auth', message: 'Log in to Codex.', delay_ms: 3000 };
  const served = await servePair(place, { turns: [{ ...late, repeat: 'forever' }] });
  const input = { diff: readFileSync(example('checkout.diff'), 'utf8') };
  const run = await startRun(served, 'failing', { kind: 'review', input });
  await page.goto(addressOf(served, ['failing', run], 'timeline'));
  const head = page.locator('.run-head');
  await head.getByText('Failed', { exact: true }).waitFor();
  await head.getByText('All events are loaded').waitFor();
  await head.getByText('Log in to Codex').waitFor();
  await page.getByText(`collab resume ${run}`).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the run' }).count()).toBe(0);
  expect(await page.locator('.entry.kind-exchange').count()).toBe(0);
});

test('a message that an unavailable server did not receive is back in its field, also after a reload', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await servePair(place, scriptOf(converses({ answer: 'Now I hear you.' })));
  await page.goto(`${served.url}/#/c/talk`);
  await inputOf(page).waitFor();
  await served.kill();
  await say(page, 'Do you hear me?');
  await page.getByText('This was not sent. The text is in the field again.').waitFor();
  await served.start();
  await page.reload();
  expect(await inputOf(page).inputValue()).toBe('Do you hear me?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messagesOf(page).getByText('Now I hear you.').waitFor();
  expect(await messagesOf(page).getByText('Do you hear me?').count()).toBe(1);
  expect(await inputOf(page).inputValue()).toBe('');
});

test('an error of the lead is shown in its conversation, earlier text stays, and it continues', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await servePair(
    place,
    scriptOf(
      converses({ fault: 'unavailable', code: 'auth', message: 'Log in to Claude.' }),
      converses({ answer: 'Now I am here.' }),
    ),
  );
  await page.goto(`${served.url}/#/c/talk`);
  await say(page, 'Are you there?');
  await page.getByRole('alert').getByText('Log in to Claude.').waitFor();
  await messagesOf(page).getByText('Are you there?').waitFor();
  expect(await page.locator('.message').getByText('Are you there?').count()).toBe(1);
  await say(page, 'And now?');
  await messagesOf(page).getByText('Now I am here.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  for (const text of ['Are you there?', 'And now?', 'Now I am here.'])
    expect(await messagesOf(page).getByText(text).count()).toBe(1);
});

const levels = [
  ['warning', 700_000, 'yellow'],
  ['critical', 850_000, 'orange'],
] as const;

test.for(levels)(
  'R002-31.2,3 a context that is %s is said in its colour, after a reload too',
  async ([, input, colour], { visitor: { page }, place, expect }) => {
    await fill(page, await servePair(place, filling(input)));
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await page
        .locator(`.banner.${colour}`)
        .getByText(`The context is ${input / 10_000} % full.`)
        .waitFor();
      expect(await inputOf(page).isDisabled()).toBe(false);
    }
  },
);

test('R002-31.4 R002-32 R002-40 a context that is full ends the conversation, after a reload too, and leads to a new one', async ({
  visitor: { page },
  place,
  expect,
}) => {
  await fill(page, await servePair(place, filling(950_000)));
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await page.locator('.banner.red').getByText('Please start a new chat.').waitFor();
    expect(await inputOf(page).isDisabled()).toBe(true);
    expect(await messagesOf(page).getByText('That was much.').count()).toBe(1);
  }
  const way = page.getByRole('link', { name: 'Start a new chat' });
  expect(await way.getAttribute('class')).toContain('primary');
  await way.click();
  await page.getByRole('button', { name: 'Open a new conversation' }).click();
  expect(await inputOf(page).isDisabled()).toBe(false);
});

/** A lead whose model takes a million tokens. */
function filling(input: number): object {
  return {
    ...scriptOf(converses({ answer: 'That was much.', usage: { input, output: 0 } })),
    lead: { name: 'Claude Code', model: 'claude-opus-5-5' },
  };
}

function converses(more: object): Turn {
  return { when: { work: 'converse' }, ...more };
}

async function fill(page: Page, { url }: { readonly url: string }): Promise<void> {
  await page.goto(`${url}/#/c/filling`);
  await say(page, 'Read it all.');
  await messagesOf(page).getByText('That was much.').waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await inputOf(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

function inputOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Your message' });
}

function messagesOf(page: Page): Locator {
  return page.getByRole('list', { name: 'Messages' });
}
