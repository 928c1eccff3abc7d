/** The questions of a run, answered with only the keyboard: every kind of question, every form of an answer. */
import type { Page } from 'playwright-core';
import type { EventBody } from '../../../src/events/collab-event.ts';
import { started } from '../../fixtures/screens/event-streams.ts';
import { advises, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { focusIn, hasFocus, press, tabBackTo, tabTo, untilFocused } from './keyboard.ts';
import { addressOf, newFile, open, sharedServer, startRun, writeRun } from '../served-page.ts';
import { test } from '../visitor.ts';

const asksBack = { tag: '[REQUEST:REVIEW]' };
const world = sharedServer(
  scriptOf(
    advises(asksBack, '[CONSULT:CLAUDE:VERIFICATION]\n\nIs `one` exported by name?\n'),
    advises(asksBack, '[CONSULT:CLAUDE:CONTEXT]\n\nWho uses `one`?\n'),
  ),
);

test('answers the questions and the gate of a task started here', async ({ visitor: { page }, expect }) => {
  await open(page, world.served(), '/#/new/run');
  await tabTo(page, page.getByRole('textbox', { name: 'The task' }));
  await page.keyboard.type('Write one.');
  await press(page, page.getByRole('checkbox', { name: 'Implementation' }), 'Space');
  await press(page, page.getByRole('checkbox', { name: 'Review' }), 'Space');
  await press(page, page.getByRole('button', { name: 'Start' }), 'Space');
  await page.getByRole('heading', { name: 'The advisor has questions before it continues' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  await press(page, sendOf(page), 'Enter');
  await page.getByRole('alert').getByText('Write something first.').waitFor();
  await untilFocused(fieldOf(page, 'Your answer'));
  await page.keyboard.type('The first one.');
  await page.keyboard.press('Control+Enter');
  await gateOf(page).waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
  await tabTo(page, page.getByRole('radio', { name: 'Approve and continue' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, fieldOf(page, 'What to change'));
  await tabBackTo(page, page.getByRole('radio', { name: 'Request changes' }));
  await page.keyboard.press('ArrowUp');
  await press(page, sendOf(page), 'Enter');
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  await untilFocused(page.locator('.run-head .facts'));
});

test('a gate sends the work back to an earlier phase, and stops the run the second time', async ({
  visitor: { page },
  expect,
}) => {
  await openRun(page, 'revised', { kind: 'run', task: 'Write one.', phases: ['requirements', 'design'] });
  for (const version of ['The first one.', 'The second one.']) {
    await tabTo(page, fieldOf(page, 'Your answer'));
    await page.keyboard.type(version);
    await press(page, sendOf(page), 'Space');
    await gateOf(page).waitFor();
    if (version === 'The second one.') break;
    await tabTo(page, page.getByRole('radio', { name: 'Approve and continue' }));
    await page.keyboard.press('ArrowDown');
    await tabTo(page, page.getByRole('combobox', { name: 'Which phase' }));
    await page.keyboard.press('ArrowUp');
    await tabTo(page, fieldOf(page, 'What to change'));
    await page.keyboard.type('Ask again.');
    await page.keyboard.press('Control+Enter');
    await gateOf(page).waitFor({ state: 'detached' });
    expect(await focusIn(page)).not.toBe('BODY');
  }
  await press(page, sendOf(page), 'Enter');
  await page.getByRole('alert').getByText('Choose one first.').waitFor();
  await untilFocused(page.getByRole('radio', { name: 'Approve and continue' }));
  await page.keyboard.press('ArrowUp');
  expect(await hasFocus(page.getByRole('radio', { name: 'Stop the run' }))).toBe(true);
  await tabTo(page, fieldOf(page, 'Comment (optional)'));
  await page.keyboard.type('Enough.');
  await press(page, sendOf(page), 'Enter');
  await page.locator('.run-head .reasons').getByText('Enough.').waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
});

test('chooses whether the changes are applied to the user’s files', async ({ visitor: { page }, expect }) => {
  await openRun(page, 'applied', { kind: 'run', task: 'Write one.', phases: ['implementation'] });
  await tabTo(page, page.getByRole('radio', { name: 'Apply the changes to my files' }));
  await page.keyboard.press('ArrowDown');
  expect(await hasFocus(page.getByRole('radio', { name: 'Do not change my files' }))).toBe(true);
  await page.keyboard.press('ArrowUp');
  await press(page, sendOf(page), 'Enter');
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  await untilFocused(page.locator('.run-head .facts'));
  expect(world.place().read('src/one.js')).toBe('export const one = 1;\n');
});

test('answers the turns of a lead who is the user', async ({ visitor: { page } }) => {
  await openRun(page, 'led', { kind: 'run', task: 'Write one.', phases: ['design'], lead: 'caller' });
  await takeTurn(page, '[CONSULT:DESIGN]\n\nIn `src/one.js`.');
  await gateOf(page).waitFor();
  await press(page, page.getByRole('radio', { name: 'Approve and continue' }), 'Space');
  await press(page, sendOf(page), 'Enter');
  await takeTurn(page, 'In `src/one.js`.\n\n## DECISION\n\nTaken.');
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
  await untilFocused(page.locator('.run-head .facts'));
});

test('answers a reverse request: a verdict with its reason, and a context', async ({
  visitor: { page },
  expect,
}) => {
  const diff = newFile('src/asked.js', ['export const one = 1;']);
  await openRun(page, 'asked', { kind: 'review', input: { diff }, lead: 'caller' });
  const question = page.getByRole('article', { name: 'The advisor asks back' });
  await question.getByText('Is one exported by name?').waitFor();
  await tabTo(page, page.getByRole('radio', { name: 'approve' }));
  await page.keyboard.press('ArrowDown');
  await press(page, sendOf(page), 'Enter');
  const reason = fieldOf(page, 'REASON (required)');
  await untilFocused(reason);
  await page.keyboard.type('Not yet.');
  await tabBackTo(page, page.getByRole('radio', { name: 'revise' }));
  await page.keyboard.press('ArrowUp');
  await press(page, sendOf(page), 'Space');
  await question.getByText('Who uses one?').waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
  await tabTo(page, fieldOf(page, 'CONTEXT (required)'));
  await page.keyboard.type('Nobody yet.');
  await page.keyboard.press('Control+Enter');
  await page.locator('.run-head').getByText('Clean', { exact: true }).waitFor();
  expect(await focusIn(page)).not.toBe('BODY');
});

type QuestionSchema = Extract<EventBody, { type: 'question.asked' }>['schema'];

const forms: readonly (readonly [string, QuestionSchema, (page: Page) => Promise<void>, unknown])[] = [
  [
    'words to choose from',
    { enum: ['yes', 'no'] },
    async (page: Page) => {
      await tabTo(page, page.getByRole('radio', { name: 'yes' }));
      await page.keyboard.press('ArrowDown');
    },
    'no',
  ],
  [
    'JSON, whose schema is unfolded',
    { type: 'array', items: { type: 'number' } },
    async (page: Page) => {
      const schema = page.getByText('"items"');
      await tabTo(page, fieldOf(page, 'Your answer as JSON'));
      await page.keyboard.type('[1,');
      await press(page, page.locator('summary', { hasText: 'The JSON Schema' }), 'Enter');
      await schema.waitFor();
      await press(page, sendOf(page), 'Enter');
      await page.getByRole('alert').getByText('This is not JSON.').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.type('2]');
    },
    [1, 2],
  ],
];

test.for(forms)('%s, if a question requires it', async ([what, schema, fill, value], { visitor, expect }) => {
  const { page } = visitor;
  const name = what.replaceAll(/\W+/g, '-');
  const asked: EventBody = {
    type: 'question.asked',
    name: 'it',
    kind: 'clarification',
    text: 'Which?',
    schema,
  };
  writeRun(world.place(), name, [started(), asked]);
  // No process drives this run: the server could take the answer, but not continue.
  await page.route('**/answers/*', (route) => route.fulfill({ status: 202, json: {} }));
  await open(page, world.served(), addressOf(world.served(), [name, name]));
  await fill(page);
  const sent = page.waitForRequest('**/answers/it');
  await press(page, sendOf(page), 'Enter');
  expect((await sent).postDataJSON()).toEqual({ value });
  await page.getByRole('status').getByText('The answer was sent.').waitFor();
  expect(await focusIn(page)).toBe('H3');
});

test('headings within a question are smaller than the question’s heading', async ({ visitor, expect }) => {
  const { page } = visitor;
  const text = '# First\n\n## Second\n\n#### Fourth\n';
  const asked: EventBody = { type: 'question.asked', name: 'it', kind: 'gate', text, schema: true };
  writeRun(world.place(), 'heads', [started(), asked]);
  await open(page, world.served(), addressOf(world.served(), ['heads', 'heads'], 'exchanges'));
  await gateOf(page).waitFor();
  const sizes = await page
    .locator('.question :is(h3, h4, h5, h6)')
    .evaluateAll((heads) => heads.map((head) => Number.parseFloat(getComputedStyle(head).fontSize)));
  const [own = 0, ...inside] = sizes;
  expect(inside).toHaveLength(3);
  expect(Math.max(...inside)).toBeLessThan(own);
  expect(Math.min(...inside)).toBe(15);
});

/** Reads the question to its end, and answers. */
async function takeTurn(page: Page, said: string): Promise<void> {
  const turn = page.getByRole('article', { name: /^It is the lead’s turn/ });
  const asked = turn.getByRole('group', { name: 'What is asked' });
  await tabTo(page, asked);
  await page.keyboard.press('End');
  await page.waitForFunction(isScrolledToEnd, await asked.elementHandle());
  await tabTo(page, turn.getByRole('textbox', { name: 'Your answer' }));
  await page.keyboard.insertText(said);
  await page.keyboard.press('Control+Enter');
  await turn.waitFor({ state: 'detached' });
}

async function openRun(page: Page, conversation: string, request: object): Promise<void> {
  const run = await startRun(world.served(), conversation, request);
  await open(page, world.served(), addressOf(world.served(), [conversation, run], 'exchanges'));
  await sendOf(page).waitFor();
}

function sendOf(page: Page) {
  return page.getByRole('button', { name: 'Send the answer' });
}

function fieldOf(page: Page, name: string) {
  return page.getByRole('textbox', { name, exact: true });
}

function gateOf(page: Page) {
  return page.getByRole('heading', { name: 'The run asks for your decision' });
}

function isScrolledToEnd(element: Element | null): boolean {
  return element !== null && element.scrollTop + element.clientHeight > element.scrollHeight - 2;
}
