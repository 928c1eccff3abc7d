import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ended, eventStream } from '../../../test/fixtures/screens/event-streams.ts';
import { report, finding } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { applyQuestion, approvalQuestion } from '../../runs/calls/gate-question.ts';
import { consultResult, reviewInput, workflowInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import { writeReport } from '../driving/write-report.ts';
import { attend, goOnWith, showAgain } from './attend.ts';
import { findingUpdates } from './finding-updates.ts';
import { applyOptions, approvalOptions } from './gate.ts';
import { asks, createTurn, happens, type Asked, type PlayedRun, type TurnHow } from './turn.test-helper.ts';

const approvalGate: Asked = {
  name: 'gate:design',
  ...approvalQuestion('design', 'It is\u001b[2J sound.', String),
};
const applyGate: Asked = { name: 'gate:apply', ...applyQuestion('A patch.') };
const clarification: Asked = {
  name: 'clarify',
  kind: 'clarification',
  text: 'Which\u001b[2J version?\n\n',
  schema: { type: 'string', description: 'the version' },
};

/** Plays a drive that ends. */
const endsAtOnce: TurnHow['drive'] = (run) => {
  run.state = 'ended';
};

test.each<[PlayedRun['state'], string]>([
  ['running', '`r1` is still at work. `/continue` follows it.\n'],
  ['interrupted', '`r1` has stopped: its process ended. `/continue` resumes it.\n'],
  ['waiting', '`r1` waits. `/continue` resumes it.\n'],
  ['ended', '`r1` ended without a result.\n'],
])('a run that is %s is shown again with the next step', async (state, text) => {
  const { turn, run, found, updates } = createTurn();
  run.state = state;
  await showAgain(turn, turn.session, found);
  expect(updates).toEqual([{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }]);
});

test('a run is shown again with its records, also with a text that has not ended', async () => {
  const { turn, run, found, updates } = createTurn();
  happens(run, { type: 'text.delta', block_id: 'b', text: 'one\n\ntwo' });
  await showAgain(turn, turn.session, found);
  expect(updates.map((update) => Object(update).content?.text ?? update.sessionUpdate)).toEqual([
    'plan',
    'one\n\n',
    'two\n\n',
    '`r1` ended without a result.\n',
  ]);
});

test('a run whose records cannot be read is shown with its state', async () => {
  const { turn, found, said } = createTurn({
    engine: { records: () => Promise.reject(new CollabError('journal_corrupt', 'broken')) },
  });
  await showAgain(turn, turn.session, found);
  expect(said()).toEqual(['`r1` ended without a result.\n']);
});

test('an open question is shown with how to answer it; a gate is not answered by words', async () => {
  const { turn, run, found, said } = createTurn();
  asks(run, clarification);
  await showAgain(turn, turn.session, found);
  asks(run, approvalGate);
  await showAgain(turn, turn.session, found);
  expect(said()).toEqual([
    'Which␛[2J version?\n\n_Your next message answers this (the version). `/cancel` ends the run._\n',
    '`r1` waits for your decision. `/continue` asks for it again, `/cancel` ends the run.\n',
  ]);
});

test('a review ends with its findings at their files and its report, without the mark for programs', async () => {
  const repository = scratchRepository();
  repository.write('src/a.ts', '');
  const outside = scratchFolder();
  const result = report({ findings: [finding()] });
  const options = { columns: 80, color: false, ascii: false, remote: '' };
  const lines = (await renderReport('markdown', result, options)).split('\n');
  expect(lines[0]).toMatch(/^<!-- /);
  for (const [cwd, root] of [
    [join(repository.root, 'src'), repository.root],
    [outside, outside],
  ] as const) {
    const input = reviewInput();
    const { turn, run, found, updates, said } = createTurn({ root: cwd, env: repository.env, input });
    run.result = result;
    await showAgain(turn, turn.session, found);
    expect(said()).toEqual([lines.slice(2).join('\n')]);
    expect(updates.slice(0, -1)).toEqual(findingUpdates('r1', [finding()], root));
  }
});

test('a consult ends with its answer', async () => {
  const { turn, run, found, said } = createTurn();
  run.result = consultResult();
  const colored = { ...turn.session, screen: { ...turn.session.screen, color: { out: true, err: true } } };
  await showAgain(turn, colored, found);
  expect(said()).toEqual([await writeReport(run.result, 'markdown', turn.session, { run: found })]);
});

test('the work of a run is shown until it ends, then its report', async () => {
  const { turn, run, found, updates, said, allDone } = createTurn();
  run.state = 'running';
  happens(run, { type: 'text.end', block_id: 'b', text: 'one' });
  await attend(
    {
      ...turn,
      client: {
        ...turn.client,
        async notify(method: string, params: object) {
          await turn.client.notify(method, params);
          if (run.records.length === 1) {
            run.records.push(...eventStream([{ type: 'text.delta', block_id: 'c', text: 'tw' }]));
            return;
          }
          run.state = 'ended';
        },
      },
    },
    found,
  );
  expect(updates.map((update) => Object(update).content?.text ?? update.sessionUpdate)).toEqual([
    'plan',
    '**Claude Code**\n\none\n\n',
    'tw\n\n',
    '`r1` ended without a result.\n',
  ]);
  expect(said()).toHaveLength(1);
  expect(allDone).toEqual([['untilFree']]);
});

test('what the person has seen is not shown again', async () => {
  const { turn, run, found, updates } = createTurn();
  happens(run, { type: 'text.end', block_id: 'b', text: 'one' }, ended());
  await attend(turn, found, { skipsPast: true });
  expect(updates).toHaveLength(1);
  await attend(turn, found);
  expect(updates).toHaveLength(5);
});

test('at a gate the person approves, and the run goes on', async () => {
  const { turn, run, found, asked, done, said } = createTurn({
    input: workflowInput(),
    person: () => 'approve',
    drive: endsAtOnce,
  });
  asks(run, approvalGate);
  await attend(turn, found);
  expect(asked).toEqual([
    {
      sessionId: 's',
      toolCall: {
        toolCallId: 'r1/gate:design',
        title: 'Continue the run?',
        kind: 'other',
        status: 'pending',
        content: [{ type: 'content', content: { type: 'text', text: 'It is␛[2J sound.' } }],
      },
      options: approvalOptions,
    },
  ]);
  expect(done()).toEqual([
    ['answer', 'gate:design', 'approve', 'user'],
    ['drive', 'r1'],
  ]);
  expect(said()).toEqual(['`r1` ended without a result.\n']);
});

test('a gate before the files asks for them', async () => {
  const { turn, run, found, asked, done } = createTurn({ person: () => 'leave', drive: endsAtOnce });
  asks(run, applyGate);
  await attend(turn, found);
  expect(asked).toEqual([
    {
      sessionId: 's',
      toolCall: {
        toolCallId: 'r1/gate:apply',
        title: 'Apply the changes to your files?',
        kind: 'edit',
        status: 'pending',
        content: [{ type: 'content', content: { type: 'text', text: 'A patch.' } }],
      },
      options: applyOptions,
    },
  ]);
  expect(done()).toEqual([
    ['answer', 'gate:apply', 'leave', 'user'],
    ['drive', 'r1'],
  ]);
});

test('a person who sends a run back is asked for the changes, and one who chooses nothing sees the question', async () => {
  const waits = '`r1` waits for your decision. `/continue` asks for it again, `/cancel` ends the run.\n';
  for (const [choice, texts] of [
    ['revise', ['The next message names the changes, and sends the run back.\n', waits]],
    ['nothing', [waits]],
  ] as const) {
    const { turn, run, found, done, said } = createTurn({ person: () => choice });
    asks(run, approvalGate);
    await attend(turn, found);
    expect(said()).toEqual(texts);
    expect(done()).toEqual([]);
  }
});

test('a question that is no gate is shown, and no choice is asked for', async () => {
  const { turn, run, found, asked, said } = createTurn();
  asks(run, clarification);
  await attend(turn, found);
  expect(asked).toEqual([]);
  expect(said()).toHaveLength(1);
});

test('a cancellation ends the run, and its end is shown', async () => {
  for (const when of ['before', 'at the gate'] as const) {
    const { turn, run, found, cancel, done, allDone, said, asked } = createTurn({
      person: () => {
        cancel();
        return 'approve';
      },
      cancel(played) {
        played.state = 'ended';
        return 'asked';
      },
    });
    asks(run, approvalGate);
    if (when === 'before') cancel();
    await attend(turn, found);
    expect(asked).toHaveLength(when === 'before' ? 0 : 1);
    expect(done()).toEqual([['cancel']]);
    expect(allDone.filter((each) => Object(each)[0] === 'untilFree').length).toBeGreaterThan(0);
    expect(said()).toEqual(['`r1` ended without a result.\n']);
  }
});

test('a cancellation that fails is thrown after the state of the run was shown', async () => {
  const { turn, run, found, cancel, said } = createTurn({
    cancel: () => {
      throw new CollabError('file', 'no space left');
    },
  });
  asks(run, clarification);
  cancel();
  await expect(attend(turn, found)).rejects.toThrow('no space left');
  expect(said()).toHaveLength(1);
});

test('an editor that has left sees nothing more, and a later cancellation reaches no run', async () => {
  const { turn, run, found, leave, cancel, done, updates } = createTurn();
  asks(run, approvalGate);
  leave();
  await expect(attend(turn, found)).rejects.toThrow('left');
  cancel();
  await new Promise(setImmediate);
  expect(done()).toEqual([]);
  expect(updates).toEqual([]);
});

test('a run that a process drives is not driven by another one', async () => {
  const { turn, run, found, done } = createTurn();
  run.isDriven = true;
  await goOnWith(turn, found);
  expect(done()).toEqual([]);
  run.isDriven = false;
  await goOnWith(turn, found);
  expect(done()).toEqual([['drive', 'r1']]);
});
