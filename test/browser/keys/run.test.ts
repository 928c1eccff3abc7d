/** A run with only the keyboard: reading, following and cancelling it. */
import type { Page } from 'playwright-core';
import type { EventBody } from '../../../src/events/collab-event.ts';
import { ended, said, started } from '../../fixtures/screens/event-streams.ts';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { findsTwo, twoLines } from '../found-review.ts';
import {
  focusIn,
  hasFocus,
  moveToTab,
  press,
  tabBackTo,
  tabTo,
  unfoldAndFold,
  untilFocused,
} from './keyboard.ts';
import { addressOf, newFile, open, reviewedOnce, sharedServer, startRun, writeRun } from '../served-page.ts';
import { test } from '../visitor.ts';

const never = { when: { tag: '[REQUEST:REVIEW]', contains: 'held.ts' }, repeat: 'forever', fault: 'never' };
const world = sharedServer(scriptOf(never, findsTwo));
const reviewed = reviewedOnce(world.served, 'keys', twoLines);

test('a run is canceled by its dialog, which takes the focus and returns it', async ({
  visitor: { page },
  expect,
}) => {
  const run = await startRun(world.served(), 'held', {
    kind: 'review',
    input: { diff: newFile('src/held.ts', ['export {};']) },
  });
  await open(page, world.served(), addressOf(world.served(), ['held', run]));
  const cancel = page.getByRole('button', { name: 'Cancel the run' });
  await press(page, cancel, 'Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this run?' });
  await dialog.waitFor();
  const goOn = dialog.getByRole('button', { name: 'Keep it running' });
  const confirm = dialog.getByRole('button', { name: 'Cancel it' });
  await untilFocused(goOn);
  const modal = page.locator('dialog:modal');
  expect(await modal.count()).toBe(1);
  await page.keyboard.press('Tab');
  expect(await hasFocus(confirm)).toBe(true);
  // After the last button the browser's own controls have their turn.
  await tabTo(page, goOn);
  await page.keyboard.press('Escape');
  await untilFocused(cancel);
  expect(await modal.count()).toBe(0);
  await page.keyboard.press('Space');
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await untilFocused(cancel);
  await page.keyboard.press('Space');
  await dialog.waitFor();
  await tabTo(page, confirm);
  await page.keyboard.press('Enter');
  await page.locator('.run-head .badge').getByText('Cancelled', { exact: true }).waitFor();
  expect(await focusIn(page)).toBe('HEADER.run-head');
});

test('a run is read: its tabs, tool calls, exchanges, prompts and answers', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, world.served(), addressOf(world.served(), await reviewed()));
  await tabTo(page, page.getByRole('tab', { name: 'Review' }));
  await moveToTab(page, 'Home', 'Timeline');
  await page.keyboard.press('Enter');
  const timeline = page.getByRole('tab', { name: 'Timeline', selected: true });
  await timeline.waitFor();
  expect(await hasFocus(timeline)).toBe(true);
  await unfoldAndFold(page.getByRole('button', { name: /^Grep/ }), page.getByText('one line'));
  await tabBackTo(page, timeline);
  await moveToTab(page, 'ArrowRight', 'Exchanges');
  await page.keyboard.press('Space');
  await page.getByRole('tab', { name: 'Exchanges', selected: true }).waitFor();
  const exchanges = page.getByRole('tabpanel');
  await unfoldAndFold(
    exchanges.getByRole('button', { name: 'The sections of the answer' }),
    exchanges.getByRole('heading', { name: 'STRENGTHS' }),
  );
  await unfoldAndFold(
    exchanges.getByRole('button', { name: 'The prompt' }),
    exchanges.locator('pre').getByText('[REQUEST:REVIEW]').first(),
  );
  await tabBackTo(page, page.getByRole('tab', { name: 'Exchanges' }));
  await moveToTab(page, 'End', 'Usage');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Usage', selected: true }).waitFor();
});

test('an agent’s thinking and unknown lines are unfolded and folded', async ({ visitor: { page } }) => {
  const thought: EventBody = { type: 'thinking.delta', block_id: 't', text: 'It may be **two**.' };
  const redacted: EventBody = { type: 'thinking.end', block_id: 'r', redacted: true };
  await openWritten(page, 'thought', [
    started(),
    thought,
    { type: 'thinking.end', block_id: 't' },
    { ...thought, block_id: 'r', text: '' },
    redacted,
    { type: 'raw', provider: 'claude_code', line: '{"type":"new"}' },
    ended(),
  ]);
  const thinking = page.getByRole('button', { name: 'Thinking' });
  await unfoldAndFold(thinking.first(), page.getByText('It may be two.'));
  await unfoldAndFold(thinking.nth(1), page.getByText('The agent keeps these thoughts to itself.'));
  const raw = page.getByRole('button', { name: 'A line of the agent that is not known' });
  await unfoldAndFold(raw, page.getByText('{"type":"new"}'));
});

test('thinking that is still arriving stays unfolded, and the focus stays on its heading', async ({
  visitor: { page },
  expect,
}) => {
  const thought: EventBody = { type: 'thinking.delta', block_id: 't', text: 'Is it one? ' };
  const write = await openWritten(page, 'thinking', [started(), thought]);
  const head = page.getByRole('button', { name: 'Thinking' });
  await press(page, head, 'Space');
  await page.getByText('Is it one?').waitFor();
  const more = [started(), thought, { ...thought, text: 'It is two.' }];
  write([...more, { type: 'thinking.end', block_id: 't' }, ...said('It is two, after all.')]);
  await page.getByText('It is two, after all.').waitFor();
  await page.getByText('Is it one? It is two.').waitFor();
  expect(await hasFocus(head)).toBe(true);
});

test('jumps to the newest entry', async ({ visitor: { page }, expect }) => {
  const blocks = Array.from({ length: 60 }, (_, index) => said(`Block ${index}.`, { block: `b${index}` }));
  await openWritten(page, 'long', [started(), ...blocks.flat()]);
  const newest = page.getByRole('button', { name: 'Jump to the newest' });
  await press(page, newest, 'Enter');
  await page.getByText('Block 59.').waitFor();
  await newest.waitFor({ state: 'detached' });
  expect(await focusIn(page)).not.toBe('BODY');
});

test('a lost connection is resumed', async ({ visitor: { page }, expect }) => {
  const events = '**/events*';
  await page.route(events, (route) => route.fulfill({ status: 404, json: { detail: 'It is not here.' } }));
  await open(page, world.served(), addressOf(world.served(), await reviewed(), 'timeline'));
  const again = page.getByRole('button', { name: 'Connect again' });
  // Until then, the request for the events may still be on its way.
  await again.waitFor();
  await page.unroute(events);
  await press(page, again, 'Enter');
  await page.getByText('All events are loaded').waitFor();
  await page.getByRole('button', { name: /^Grep/ }).waitFor();
  expect(await focusIn(page)).toBe('HEADER.run-head');
});

/** A run that no server drives. @returns a function that continues it: it takes all events and writes the new ones */
async function openWritten(
  page: Page,
  name: string,
  bodies: readonly EventBody[],
): Promise<(all: readonly EventBody[]) => void> {
  const write = writeRun(world.place(), name, bodies);
  await open(page, world.served(), addressOf(world.served(), [name, name], 'timeline'));
  return write;
}
