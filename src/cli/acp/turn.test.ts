import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { applyQuestion, approvalQuestion } from '../../runs/calls/gate-question.ts';
import { reviewInput, workflowInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { helpText } from './commands.ts';
import { startOptions } from './gate.ts';
import { carryOutPrompt, showRefusal } from './turn.ts';
import { asks, createTurn, happens, type TurnHow } from './turn.test-helper.ts';

const approval = approvalQuestion('design', 'Sound.', String);
const apply = applyQuestion('A patch.');
const decision = '`r1` waits for your decision. `/continue` asks for it again, `/cancel` ends the run.\n';
const withoutResult = '`r1` ended without a result.\n';

/** A folder in which a consult can start. */
function consultable(how: TurnHow = {}) {
  const { root, env } = scratchRepository();
  const config = join(env['HOME'] ?? '', '.config/collab');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'collab.config.yaml'), 'advisor: rehearsal\n');
  return createTurn({ root, env, ...how });
}

test('/help shows the commands', async () => {
  const { turn, done } = createTurn();
  await carryOutPrompt(turn, { kind: 'help' });
  expect(done()).toEqual([['say', helpText]]);
});

test.each([
  [{ kind: 'run', task: 'Write it.' }, 'Let a lead work on the task?', 'Task: Write it.'],
  [{ kind: 'run' }, 'Let a lead work on the task?', 'Task: '],
  [{ kind: 'fix' }, 'Let a lead fix the findings?', 'The findings that you named.'],
] as const)('a lead works only if the person allows it: %j', async (request, title, what) => {
  const { turn, asked, done, started } = createTurn({ runs: ['r0', 'r1'], person: () => 'leave' });
  await carryOutPrompt(turn, { kind: 'start', request });
  const text = `${what}\n\nThe lead edits files and runs commands in a copy of the repository. Your own files do not change before you allow it at the end.`;
  expect(asked).toEqual([
    {
      sessionId: 's',
      toolCall: {
        toolCallId: 's/start/2',
        title,
        kind: 'execute',
        status: 'pending',
        content: [{ type: 'content', content: { type: 'text', text } }],
      },
      options: startOptions,
    },
  ]);
  expect(done()).toEqual([['say', 'Nothing was started: it was not allowed.\n']]);
  expect(started).toEqual([]);
});

test('no person is asked after a cancellation, and nothing starts', async () => {
  const { turn, asked, done, cancel } = createTurn({ person: () => 'start' });
  cancel();
  await carryOutPrompt(turn, { kind: 'start', request: { kind: 'fix' } });
  expect(asked).toEqual([]);
  expect(done()).toEqual([['say', 'Nothing was started: it was not allowed.\n']]);
});

test('an allowed start is tried', async () => {
  const { turn, asked } = createTurn({ person: () => 'start' });
  await expect(
    carryOutPrompt(turn, { kind: 'start', request: { kind: 'fix', findings: ['F1'] } }),
  ).rejects.toBeInstanceOf(CollabError);
  expect(asked).toHaveLength(1);
});

test('text without an open question is a consult, which is started, driven and attended', async () => {
  const { turn, asked, done, started, said } = consultable({ runs: [] });
  await carryOutPrompt(turn, { kind: 'words', text: 'Is it small?' });
  expect(asked).toEqual([]);
  expect(started.map(({ input }) => input)).toMatchObject([
    { kind: 'consult', phase: 'implementation', brief: 'Is it small?' },
  ]);
  expect(done()).toEqual([['drive', 'started']]);
  expect(said()).toEqual([withoutResult.replace('r1', started[0]?.runId ?? '')]);
});

test('a start ends with a cancellation, and with the editor', async () => {
  for (const end of ['cancel', 'leave'] as const) {
    const world = consultable({ runs: [] });
    world[end]();
    await expect(carryOutPrompt(world.turn, { kind: 'words', text: 'Is it small?' })).rejects.toThrow(
      end === 'leave' ? 'left' : 'This operation was aborted',
    );
    expect(world.started).toEqual([]);
  }
});

test('text after a consult continues its conversation; after a review it begins one', async () => {
  const next = { kind: 'words', text: 'And now?' } as const;
  const consult = consultable();
  // The engine of the folder does not have the run of the test's engine.
  await expect(carryOutPrompt(consult.turn, next)).rejects.toMatchObject({ code: 'run_not_found' });
  const review = consultable({ input: reviewInput() });
  await carryOutPrompt(review.turn, next);
  expect(review.started).toHaveLength(1);
  const removed = consultable({ runs: ['r1', 'r0'] });
  await carryOutPrompt(removed.turn, next);
  expect(removed.started).toHaveLength(1);
});

test('text answers an open question, and the run goes on', async () => {
  const { turn, run, done, said, updates, asked } = createTurn({
    runs: ['r0', 'r1'],
    drive(played) {
      played.state = 'running';
      setImmediate(() => {
        happens(played, { type: 'text.end', block_id: 'c', text: 'new' });
        played.state = 'ended';
      });
    },
  });
  happens(run, { type: 'text.end', block_id: 'b', text: 'old' });
  asks(run, { name: 'clarify', kind: 'clarification', text: 'Which?', schema: { type: 'string' } });
  await carryOutPrompt(turn, { kind: 'words', text: 'approve 3' });
  expect(done()).toEqual([
    ['answer', 'clarify', 'approve 3', 'user'],
    ['drive', 'r1'],
  ]);
  expect(asked).toEqual([]);
  expect(updates.map((update) => Object(update).content.text)).toEqual(['new\n\n', withoutResult]);
  expect(said()).toEqual([withoutResult]);
});

test('text at the gate of a phase names the changes', async () => {
  const { turn, run, done } = createTurn({
    input: workflowInput(),
    drive: (played) => void (played.state = 'ended'),
  });
  asks(run, { name: 'gate:design', ...approval });
  await carryOutPrompt(turn, { kind: 'words', text: 'Name the file.' });
  expect(done()).toEqual([
    ['answer', 'gate:design', 'revise: Name the file.', 'user'],
    ['drive', 'r1'],
  ]);
});

test.each([
  ['approve', approval],
  ['Stop: now', approval],
  ['apply', apply],
  ['name the file', apply],
])('the words "%s" open no gate: the choice is asked for', async (text, question) => {
  const { turn, run, done, asked, said } = createTurn();
  happens(run, { type: 'text.end', block_id: 'b', text: 'old' });
  asks(run, { name: 'gate', ...question });
  await carryOutPrompt(turn, { kind: 'words', text });
  expect(done()).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(said()).toEqual([decision]);
});

test('/continue drives an interrupted run, and follows any other one, without what was shown', async () => {
  for (const [state, drives] of [
    ['interrupted', [['drive', 'r1']]],
    ['ended', []],
  ] as const) {
    const { turn, run, done, updates } = createTurn({ drive: (played) => void (played.state = 'ended') });
    happens(run, { type: 'text.end', block_id: 'b', text: 'old' });
    run.state = state;
    await carryOutPrompt(turn, { kind: 'continue', run: undefined });
    expect(done()).toEqual(drives);
    expect(updates).toHaveLength(1);
  }
});

test('a run that is named is found, also if the session did not start it', async () => {
  const { turn, allDone } = createTurn({ runs: [] });
  await carryOutPrompt(turn, { kind: 'continue', run: 'r1' });
  expect(allDone[0]).toEqual(['find', 'r1']);
  await expect(carryOutPrompt(turn, { kind: 'cancel', run: 'r9' })).rejects.toThrow('There is no run r9');
});

test('/cancel ends the run and shows its end; a run that has ended stays so', async () => {
  const { turn, run, done, said, updates } = createTurn({
    cancel(played) {
      played.state = 'ended';
      return 'ended';
    },
  });
  happens(run, { type: 'text.end', block_id: 'b', text: 'old' });
  run.state = 'interrupted';
  await carryOutPrompt(turn, { kind: 'cancel', run: undefined });
  expect(done()).toEqual([['cancel']]);
  expect(said()).toEqual([withoutResult]);
  await carryOutPrompt(turn, { kind: 'cancel', run: undefined });
  expect(done().at(-1)).toEqual(['say', '`r1` has already ended.\n']);
  expect(updates).toHaveLength(1);
});

test('a session without a run has none to continue or to cancel', async () => {
  const refusal = {
    code: 'usage',
    message: 'this session has started no run',
    hint: 'Name a run, or start one with /review.',
  };
  for (const kind of ['continue', 'cancel'] as const) {
    for (const runs of [[], ['removed']]) {
      const { turn } = createTurn({ runs });
      await expect(carryOutPrompt(turn, { kind, run: undefined })).rejects.toMatchObject(refusal);
    }
  }
});

test('a run that cannot be read is not forgotten', async () => {
  for (const error of [new CollabError('journal_corrupt', 'broken'), new TypeError('broken')]) {
    const { turn } = createTurn({ engine: { find: () => Promise.reject(error) } });
    await expect(carryOutPrompt(turn, { kind: 'words', text: 'why?' })).rejects.toBe(error);
  }
});

test('a refusal is its message and its hint', async () => {
  const { turn, done } = createTurn();
  await showRefusal(turn, new CollabError('usage', 'no', { hint: 'Do it.' }));
  await showRefusal(turn, new CollabError('usage', 'no'));
  expect(done()).toEqual([
    ['say', 'no\n\nDo it.'],
    ['say', 'no'],
  ]);
});
