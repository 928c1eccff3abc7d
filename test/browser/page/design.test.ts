/** The components of the page, each in every state, in a bundle of their own under the policy of the page. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { bundlePage } from '../../../scripts/build-page.mjs';
import { pageRoutes } from '../../../src/server/routes/page-routes.ts';
import { closeServer, listen } from '../../../src/system/loopback.ts';
import { faultsInAll, lowContrasts } from '../faults-of.ts';
import { test } from '../visitor.ts';

const web = join(import.meta.dirname, '../../../web');
const folder = mkdtempSync(join(tmpdir(), 'collab-gallery-'));
let url = '';

beforeAll(async () => {
  await bundlePage(join(web, 'gallery'), folder);
  const listener = getRequestListener(pageRoutes({ folder }).fetch);
  const server = createServer((request, response) => void listener(request, response));
  url = `http://127.0.0.1:${await listen(server)}/`;
  return () => closeServer(server);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every component of the design has a section with its states', async ({ visitor: { page }, expect }) => {
  await open(page);
  const shown = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(shown.toSorted()).toEqual(componentsIn(join(web, 'src/design')).toSorted());
  const empty = await page.locator('.states:not(:has(> *))').count();
  expect(empty).toBe(0);
});

test.for([
  ['en', 'Connect again'],
  ['ja', '再接続'],
] as const)(
  'no state has a serious accessibility fault in %s, in light and dark, at 360 px, with an open dialog',
  async ([language, word], { visitor: { page }, expect }) => {
    await open(page);
    await page.locator('.choices select').first().selectOption(language);
    await page.getByRole('button', { name: word }).first().waitFor();
    expect(await faultsInAll(page)).toEqual([]);
    await page.getByRole('region', { name: 'Dialog', exact: true }).getByRole('button').click();
    await page.getByRole('alertdialog').waitFor();
    expect(await faultsInAll(page)).toEqual([]);
  },
);

test.for(['light', 'dark'] as const)(
  'a reader who wants more contrast gets 7 : 1 for every text, in %s',
  async (colorScheme, { visitor: { page }, expect }) => {
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    await open(page);
    expect(await lowContrasts(page)).toEqual([]);
  },
);

test('with the few colors of a reader, a pressed button, an open tab and a bar still differ from the others', async ({
  visitor: { page },
  expect,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page);
  const pairs = [
    ['.segments [aria-pressed=true]', '.segments [aria-pressed=false]', 'background-color'],
    ['.tabs [data-state=active]', '.tabs [data-state=inactive]', 'border-bottom-color'],
    ['.bar-chart rect:not(.ground)', '.bar-chart .ground', 'fill'],
    ['.button.primary', '.button:not(.primary)', 'background-color'],
  ] as const;
  for (const [one, other, property] of pairs) {
    const colors = await Promise.all([one, other].map((selector) => styleOf(page, selector, property)));
    expect(colors[0], one).not.toBe(colors[1]);
  }
});

test('a copy button says that the text was copied, or that the browser refused', async ({
  visitor: { page },
  expect,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const section = page.getByRole('region', { name: 'CopyButton' });
  const [copies, refuses] = [section.getByRole('button').first(), section.getByRole('button').last()];
  await copies.click();
  await section.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('The task');
  await refuses.click();
  await section.getByText('The browser does not let this page copy').waitFor();
});

async function open(page: Page): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The exported components of a folder. */
function componentsIn(path: string): readonly string[] {
  return readdirSync(path)
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test'))
    .flatMap((file) => [...readFileSync(join(path, file), 'utf8').matchAll(/^export function ([A-Z]\w*)/gm)])
    .map(([, name = '']) => name);
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}
