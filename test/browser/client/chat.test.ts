import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { body, hanging, streamed, wholeRun, wire } from '../../../src/client/scripted-server.test-helper.ts';
import type { StreamingEvent } from '../../../src/views/stream/event.ts';
import { bundledPage } from './bundled-page.ts';
import { contextStatus, endingWith } from '../context-run.ts';
import { scriptedOrigin } from '../scripted-origin.ts';
import { test } from '../visitor.ts';

const base = { seq: 0, timestamp: '2026-11-21T09:30:00.000000Z' };
let html = '';
beforeAll(async () => {
  html = await bundledPage('chat');
});

test('R002-47.3,5 sends what was typed, shows the answer and its usage, and is ready again', async ({
  visitor: { page },
  expect,
}) => {
  const { url, asked } = await scriptedOrigin(html, [answering(wholeRun), answering(wholeRun)]);
  await say(page, url, 'こんにちは');
  await page.getByText('Tokens: 2000').waitFor();
  expect(await page.locator('.assistant').innerText()).toBe('こんにちは 👋');
  expect(await page.locator('.thinking').innerText()).toBe('思考中: 考える');
  expect(asked[0]?.body).toContain('"user_input":"こんにちは"');
  await send(page, 'again');
  await expect.poll(() => asked.length).toBe(2);
});

test('R002-47.1,6,7 a run disables the input, counts its tools and is cancelled by a button', async ({
  visitor: { page },
  expect,
}) => {
  const calling = wholeRun.findIndex(({ event }) => event === 'tool_call') + 1;
  const { url, asked } = await scriptedOrigin(html, [
    () => streamed(hanging([wire(wholeRun.slice(0, calling))])),
    () => new Response('{}', { status: 202 }),
  ]);
  await say(page, url, 'hello');
  await page.getByText('ツール実行中: 1').waitFor();
  expect(await inputOf(page).isDisabled()).toBe(true);
  expect(await inputOf(page).inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Sending...' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect(asked.map(({ url: path }) => path.split('/').at(-1))).toEqual(['stream', 'cancel']);
});

test('R002-47.8 nothing empty is sent', async ({ visitor: { page }, expect }) => {
  const { url, asked } = await scriptedOrigin(html, [answering(wholeRun)]);
  await say(page, url, '   ');
  await send(page, 'something');
  await page.getByText('Tokens: 2000').waitFor();
  expect(asked).toHaveLength(1);
});

test.for([
  ['normal', 0, null],
  ['warning', 70, 'banner yellow'],
  ['critical', 85, 'banner orange'],
] as const)(
  'R002-31.1-3 a context that is %s has its banner',
  async ([level, percent, banner], { visitor: { page }, expect }) => {
    const { url } = await scriptedOrigin(html, [answering(endingWith(contextStatus(level, percent)))]);
    await say(page, url, 'hello');
    await page.getByText('Tokens: 2000').waitFor();
    const banners = await page
      .getByRole('status')
      .evaluateAll((all) => all.map(({ className }) => className));
    expect(banners).toEqual(banner === null ? [] : [banner]);
    expect(await inputOf(page).isDisabled()).toBe(false);
  },
);

test.for([
  ['R002-32 a context that is blocked', () => contextStatus('blocked', 95)],
  ['R002-40 the error context_limit_exceeded', contextLimit],
] as const)(
  '%s leaves the conversation to be read, and a new one to be begun',
  async ([, last], { visitor: { page }, expect }) => {
    const { url } = await scriptedOrigin(html, [answering(endingWith(last()))]);
    await say(page, url, 'hello');
    const banner = page.getByRole('status');
    await banner.waitFor();
    expect(await banner.innerText()).toContain('新しいチャットを開始してください');
    expect(await banner.getAttribute('class')).toBe('banner red');
    expect(await page.locator('.assistant').innerText()).toBe('こんにちは 👋');
    expect(await inputOf(page).isDisabled()).toBe(true);
    const newChat = page.getByRole('button', { name: '新しいチャットを開始' });
    expect(await newChat.getAttribute('class')).toBe('emphasised');
    await newChat.click();
    await banner.waitFor({ state: 'detached' });
    expect(await inputOf(page).isDisabled()).toBe(false);
  },
);

function answering(events: readonly StreamingEvent[]): () => Response {
  return () => streamed(body([wire(events)]));
}

function contextLimit(): StreamingEvent {
  return {
    event: 'error',
    data: {
      ...base,
      error_type: 'context_limit_exceeded',
      message: 'it is full',
      recoverable: false,
    },
  };
}

async function say(page: Page, url: string, text: string): Promise<void> {
  await page.goto(url);
  await send(page, text);
}

async function send(page: Page, text: string): Promise<void> {
  await inputOf(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

function inputOf(page: Page) {
  return page.getByRole('textbox');
}
