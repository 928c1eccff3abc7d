/** A user's visit: a review and a task from start to end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { example, repository } from '../../packed/place.ts';
import { addressOf, rehearsedReview, servePair, untilEnded } from '../served-page.ts';
import { test } from '../served-visitor.ts';

test('a review is started from the page and followed to its findings, each on its line of the change', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await servePair(place, rehearsedReview());
  await page.goto(`${served.url}/#/new/review`);
  await page.getByLabel('What is reviewed').selectOption('diff');
  await page.getByRole('textbox', { name: 'Diff' }).fill(readFileSync(example('checkout.diff'), 'utf8'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Findings', { exact: true }).first().waitFor();
  const [, conversation = '', run = ''] = /#\/c\/([^/]+)\/r\/([^/]+)/.exec(page.url()) ?? [];
  await untilEnded(served, [conversation, run]);
  const found = await fetch(`${served.url}/api/tenants/local/conversations/${conversation}/runs/${run}`);
  const { result } = z.object({ result: resultSchema }).parse(await found.json());
  const placed = result.findings.filter(({ placement }) => placement !== 'unplaced');
  expect(placed.length).toBeGreaterThan(5);
  for (const { id, path, end_line, quote } of placed) {
    await page.goto(`${addressOf(served, [conversation, run], 'review')}/${id}`);
    const card = page.locator(`.file tr #finding-${id}`);
    await card.waitFor();
    expect(await placeOf(card)).toEqual([path, end_line, lastLineOf(quote)]);
    if (path === 'src/orders/order-store.ts') await keep(page, 'review');
  }
});

test('a task waits at its gate, and continues when it is approved on the page', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await servePair(place, scriptOf());
  await page.goto(`${served.url}/#/new/run`);
  await page.getByLabel('The task').fill('Write one.');
  for (const phase of ['Requirements', 'Implementation', 'Review'])
    await page.getByRole('checkbox', { name: phase }).uncheck();
  await page.getByRole('button', { name: 'Start' }).click();
  const question = page.getByRole('heading', { name: 'The run asks for your decision' }).first();
  await question.waitFor();
  expect(await isInSight(question)).toBe(true);
  await keep(page, 'task');
  await page.getByRole('radio', { name: 'Approve and continue' }).check();
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  expect(await page.getByText('Answered by a person').first().isVisible()).toBe(true);
});

function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

/** README's pictures are taken again by `UPDATE_PICTURES=1 npm run test:browser -- page-run`. */
async function keep(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_PICTURES'] === undefined) return;
  await page.screenshot({ path: join(repository, `references/images/${name}.png`) });
}

const resultSchema = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      path: z.string().nullable(),
      end_line: z.int().nullable(),
      quote: z.string().nullable(),
      placement: z.string(),
    }),
  ),
});

/** The file, and the number and the text of the line above a finding. */
function placeOf(card: Locator): Promise<readonly [path: string | null, line: number | null, code: string]> {
  return card.evaluate((element) => {
    const file = element.closest('.file')?.querySelector('h3 code')?.textContent ?? null;
    const row = element.closest('tr')?.previousElementSibling;
    const cells = [...(row?.querySelectorAll('.diff-gutter') ?? [])];
    const numbers = cells.map(({ textContent }) => parseInt(textContent, 10));
    const line = numbers.findLast((number) => !Number.isNaN(number)) ?? null;
    return [file, line, row?.querySelector('.diff-code')?.textContent.trim() ?? ''];
  });
}

/** A line of the old side is quoted with its sign. */
function lastLineOf(quote: string | null): string {
  return (quote ?? '').trimEnd().split('\n').at(-1)?.replace(/^-/, '').trim() ?? '';
}
