import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { body, hanging, streamed, wholeRun, wire } from '../../../src/client/scripted-server.test-helper.ts';
import { bundledPage } from './bundled-page.ts';
import { scriptedOrigin } from '../scripted-origin.ts';
import { test } from '../visitor.ts';

let html = '';
beforeAll(async () => {
  html = await bundledPage('hook');
});

const whole = () => streamed(body([wire(wholeRun)]));
const rest = () => streamed(body([wire(wholeRun.slice(3))]));
const cancelled = () => new Response('{}', { status: 202 });
const unfinished = () => streamed(hanging([wire(wholeRun.slice(0, 3))]));

test('R002-43 R002-45.4,8 streams a run into its state', async ({ visitor: { page }, expect }) => {
  const { url, asked } = await scriptedOrigin(html, [whole]);
  await execute(page, url);
  await expect
    .poll(() => stateOf(page))
    .toMatchObject({
      isStreaming: false,
      currentText: 'こんにちは 👋 ',
      thinkingText: '考える',
      status: 'success',
      lastSeq: wholeRun.length,
      pendingTools: [],
      heard: ['init', 'done'],
    });
  expect(asked).toMatchObject([{ method: 'POST', url: '/api/tenants/t/conversations/c/stream' }]);
  expect(asked[0]?.body).toContain('name="request_data"');
});

test('X002-12.2 takes a broken stream up behind its last event', async ({ visitor: { page }, expect }) => {
  const { url, asked, cut } = await scriptedOrigin(html, [unfinished, rest]);
  await executeUpTo(page, url, 3);
  cut();
  await expect
    .poll(() => stateOf(page), { timeout: 20_000 })
    .toMatchObject({
      isStreaming: false,
      currentText: 'こんにちは 👋 ',
      thinkingText: '考える',
      lastSeq: wholeRun.length,
      heard: ['init', 'done'],
    });
  expect(asked.slice(1)).toMatchObject([{ method: 'GET', lastEventId: 'run-1:3' }]);
});

test('X002-11.6 X002-D7 cancel ends the run on the server, then the reading', async ({
  visitor: { page },
  expect,
}) => {
  const { url, asked, untilLeft } = await scriptedOrigin(html, [unfinished, cancelled]);
  await executeUpTo(page, url, 3);
  await page.getByRole('button', { name: 'cancel' }).click();
  await untilLeft(1);
  await expect
    .poll(() => stateOf(page))
    .toMatchObject({ isStreaming: false, status: 'cancelled', error: null });
  expect(asked.slice(1)).toMatchObject([
    { method: 'POST', url: '/api/tenants/t/conversations/c/cancel', body: '{"run_id":"run-1"}' },
  ]);
});

test('X002-11.7 disconnect ends the reading alone', async ({ visitor: { page }, expect }) => {
  const { url, asked, untilLeft } = await scriptedOrigin(html, [unfinished]);
  await executeUpTo(page, url, 3);
  await page.getByRole('button', { name: 'disconnect' }).click();
  await untilLeft(1);
  await expect.poll(() => stateOf(page)).toMatchObject({ isStreaming: false, status: null, error: null });
  expect(asked).toHaveLength(1);
});

test('X002-D6.1 a component that is gone reads no longer', async ({ visitor: { page }, expect }) => {
  const { url, asked, untilLeft } = await scriptedOrigin(html, [unfinished]);
  await executeUpTo(page, url, 3);
  await page.getByRole('button', { name: 'unmount' }).click();
  await untilLeft(1);
  expect(await page.locator('#root').innerText()).toContain('gone');
  expect(asked).toHaveLength(1);
});

async function execute(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'execute' }).click();
}

async function executeUpTo(page: Page, url: string, lastSeq: number): Promise<void> {
  await execute(page, url);
  await page.getByText(`"lastSeq":${lastSeq},`).waitFor();
}

async function stateOf(page: Page): Promise<unknown> {
  return JSON.parse(await page.locator('output').innerText());
}
