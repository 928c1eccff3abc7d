/**
 * A run whose page is reloaded, whose server stops, that two people watch, that is cancelled: the page shows its true
 * and complete state.
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import {
  advises,
  designAnswer,
  leads,
  requirementsAnswer,
  scriptOf,
} from '../../contract/workflow/workflow-script.ts';
import { example, type Place } from '../../packed/place.ts';
import { serve, type Served } from '../../packed/serve/served.ts';
import { addressOf, servePair, startRun, untilEnded, type RunPlace } from '../served-page.ts';
import { test } from '../served-visitor.ts';

const diff = readFileSync(example('checkout.diff'), 'utf8');

test('a reload during a run shows earlier and later records, each once', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const [served, run] = await askingRun(place);
  await page.goto(addressOf(served, run));
  await answerBox(page).waitFor();
  await page.reload();
  await answerBox(page).waitFor();
  await expect.poll(() => times(page, 'Said before.', 'Advised before.', 'Said after.')).toEqual([1, 1, 0]);
  await answer(page);
  await approve(page);
  await headOf(page).getByText('Ended', { exact: true }).waitFor();
  await headOf(page).getByText('All events are loaded').waitFor();
  await expect
    .poll(() => times(page, 'Said before.', 'Advised before.', 'Said after.', 'Advised after.'))
    .toEqual([1, 1, 1, 1]);
});

test('a server that is killed during a run is waited for; the continued run is shown to its outcome', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const [served, run] = await halfReviewed(page, place);
  await served.kill();
  await headOf(page).getByText('The connection is lost. Trying again …').waitFor();
  await expect.poll(() => exchangesOf(page).count()).toBe(3);
  await served.start();
  await headOf(page).getByText('Findings', { exact: true }).waitFor();
  await headOf(page).getByText('All events are loaded').waitFor();
  await expect.poll(() => exchangesOf(page).count()).toBe(4);
  expect(await untilEnded(served, run)).toBe('findings');
});

test('a gate that is answered in one tab is answered in the other; a second answer is reported as too late', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const [served, run] = await askingRun(place);
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(addressOf(served, run));
    await answerBox(tab).waitFor();
  }
  await answer(page);
  for (const tab of [page, other]) {
    await tab.getByRole('radio', { name: 'Approve and continue' }).waitFor();
    await expect.poll(() => times(tab, 'answered by a person', 'Version 2.')).toEqual([1, 1]);
  }
  await other.route('**/answers/*', async (route) => {
    await approve(page);
    await headOf(other).getByText('Ended', { exact: true }).waitFor();
    await route.continue();
  });
  await approve(other);
  await other.getByText('Another person has already answered this.').waitFor();
  await other.getByText('Answered by a person', { exact: true }).waitFor();
  await headOf(page).getByText('Ended', { exact: true }).waitFor();
});

test('a review that is canceled on the page ends canceled, and not clean', async ({
  visitor: { page },
  place,
  expect,
}) => {
  await halfReviewed(page, place);
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('button', { name: 'Keep it running' }).click();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel it' }).click();
  await headOf(page).getByText('Cancelled', { exact: true }).waitFor();
  await page.reload();
  await headOf(page).getByText('Cancelled', { exact: true }).waitFor();
  await headOf(page).getByText('All events are loaded').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the run' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Review' }).click();
  expect(await page.getByRole('main').getByText('Clean', { exact: true }).count()).toBe(0);
});

/** A task that asks a question between two phases, and has a gate at its end. */
async function askingRun(place: Place): Promise<readonly [Served, RunPlace]> {
  const drafts = { work: 'draft' } as const;
  const script = scriptOf(
    leads({ ...drafts, phase: 'requirements' }, '[CONSULT:REQUIREMENTS]\n\nSaid before.\n'),
    advises({ tag: '[CONSULT:REQUIREMENTS]' }, `${requirementsAnswer}- Advised before.\n`),
    leads({ ...drafts, phase: 'design' }, '[CONSULT:DESIGN]\n\nSaid after.\n'),
    advises({ tag: '[CONSULT:DESIGN]' }, designAnswer.replace('Sound.', 'Advised after.')),
  );
  const served = await servePair(place, script);
  const task = { kind: 'run', task: 'Write one.', phases: ['requirements', 'design'] };
  return [served, ['asking', await startRun(served, 'asking', task)]];
}

/** A review of four parts that waits for the third, on its page. */
async function halfReviewed(page: Page, place: Place): Promise<readonly [Served, RunPlace]> {
  place.git('init', '-q');
  place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
  const served = await serve(place, ['--advisor', place.rehearsal('four-chunks-slow')]);
  const run = ['half', await startRun(served, 'half', { kind: 'review', input: { diff } })] as const;
  await page.goto(addressOf(served, run, 'exchanges'));
  await exchangesOf(page).nth(2).waitFor();
  return [served, run];
}

function headOf(page: Page): Locator {
  return page.locator('.run-head');
}

function exchangesOf(page: Page): Locator {
  return page.locator('.exchange:not(.entry)');
}

function answerBox(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Your answer' });
}

async function answer(page: Page): Promise<void> {
  await answerBox(page).fill('Version 2.');
  await page.getByRole('button', { name: 'Send the answer' }).click();
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Approve and continue' }).check();
  await page.getByRole('button', { name: 'Send the answer' }).click();
}

/** The number of times that the timeline contains each of them. */
async function times(page: Page, ...texts: readonly string[]): Promise<readonly number[]> {
  return Promise.all(texts.map((text) => page.locator('.entry').getByText(text).count()));
}
