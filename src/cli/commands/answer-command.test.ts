import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { CollabEventOf } from '../../events/collab-event.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { reverseQuestion } from '../../runs/calls/reverse-question.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { consultInput, savedRun, workflowInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { collab } from '../command.test-helper.ts';
import {
  engineWithRun,
  nowhere,
  openedRun,
  question,
  runId,
  standing,
} from '../engine/engine-with-run.test-helper.ts';
import { recordAnswer } from './answer-command.ts';

/** A run that asks this question by now. */
function asking(asked: CollabEventOf<'question.asked'> = question('gate:design'), input?: RunInput) {
  const answered: unknown[] = [];
  const refused: string[] = [];
  const found = openedRun(input ?? workflowInput());
  const methods: Partial<Engine> = {
    status: async () => standing('waiting', asked),
    answer: async (_run, answer) => void answered.push(answer),
    refuse: async (_run, message) => void refused.push(message),
  };
  const engine = engineWithRun(found, methods);
  return { answered, refused, found, engine, session: { clock, env: {}, engine } };
}

test('an answer to a question that was answered elsewhere does not answer the next one', async () => {
  const { answered, session, found } = asking();
  await expect(recordAnswer(session, found, 'approve', 'gate:requirements')).rejects.toMatchObject({
    code: 'input',
    message: `The question was answered elsewhere, and ${runId} asks another one: gate:design`,
    hint: `see it: collab status ${runId} --remote`,
  });
  expect(answered).toEqual([]);
});

test('the question that was shown is answered, and the first one if none is named', async () => {
  for (const shown of ['gate:design', undefined]) {
    const { answered, session, found } = asking();
    await recordAnswer(session, found, 'approve', shown);
    expect(answered).toEqual([{ name: 'gate:design', value: 'approve', by: 'user' }]);
  }
});

test('a run that its caller leads is answered by the caller', async () => {
  const lead = { provider: 'caller', model: null, chosenBy: 'auto', settings: {} } as const;
  const { answered, session, found } = asking(undefined, workflowInput({ lead }));
  await recordAnswer(session, found, 'revise');
  expect(answered).toEqual([{ name: 'gate:design', value: 'revise', by: 'caller' }]);
  const without = asking(undefined, consultInput({ lead: null }));
  await recordAnswer(without.session, without.found, 'revise');
  expect(without.answered).toEqual([{ name: 'gate:design', value: 'revise', by: 'user' }]);
});

test('X001-8 an answer that asks back is refused and recorded as refused; another fault leaves no trace', async () => {
  const { kind, text, schema } = reverseQuestion({ tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Which?' });
  const reverse = { ...question('reverse:1'), kind, text, schema: z.json().parse(schema) };
  const { answered, refused, session, found } = asking(reverse);
  await expect(recordAnswer(session, found, '[CONSULT:DESIGN]\n\nWhy?')).rejects.toMatchObject({
    code: 'input',
    message: 'the answer asks back with [CONSULT:DESIGN], which is not allowed',
  });
  expect(refused).toEqual(['reverse:1: the answer asks back with [CONSULT:DESIGN], which is not allowed']);
  await expect(recordAnswer(session, found, ' ')).rejects.toMatchObject({ code: 'input' });
  const gate = asking();
  await expect(recordAnswer(gate.session, gate.found, 'perhaps')).rejects.toMatchObject({ code: 'input' });
  expect([refused.length, gate.refused, answered, gate.answered]).toEqual([1, [], [], []]);
});

test('a run of a database continues by itself after its answer, which is a file or standard input', async () => {
  const { answered, engine } = asking();
  const place = { root: scratchFolder(), env: {} };
  writeFileSync(join(place.root, 'mine.md'), 'revise\n');
  const goesOn = {
    code: 11,
    out: `${runId} has the answer and continues; wait for it: collab wait ${runId} --remote --timeout 9m\n`,
    err: '',
  };
  expect(await collab(place, ['answer', 'latest', '--file', 'mine.md'], { engine })).toEqual(goesOn);
  expect(await collab(place, ['answer', 'latest', '--file', '-'], { engine, input: 'approve' })).toEqual(
    goesOn,
  );
  expect(answered).toEqual([
    { name: 'gate:design', value: 'revise', by: 'user' },
    { name: 'gate:design', value: 'approve', by: 'user' },
  ]);
});

test('an answer that is too large, and one to a run without a question, are refused', async () => {
  const { answered, engine, found } = asking();
  const args = ['answer', 'latest', '--file', '-'];
  const large = await collab(nowhere, args, { engine, input: 'a'.repeat(1024 * 1024 + 1) });
  expect(large).toEqual({
    code: 2,
    out: '',
    err: 'collab: the answer is larger than 1024 KiB\n  Shorten it; the advisor can read files of the repository itself.\n',
  });
  expect(answered).toEqual([]);
  const ended = engineWithRun(found, { status: async () => standing('ended') });
  expect(await collab(nowhere, args, { engine: ended, input: 'approve' })).toEqual({
    code: 2,
    out: '',
    err: `collab: ${runId} has no question: it is ended\n  see the next step: collab status ${runId} --remote\n`,
  });
});

test('a consult is refused as findings before the answer is read', async () => {
  const { engine } = asking(undefined, consultInput());
  const args = ['answer', 'latest', '--file', '-', '--format', 'sarif'];
  expect((await collab(nowhere, args, { engine, input: 'approve' })).err).toBe(
    'collab: a consult has no findings, and sarif shows nothing else\n  use one of terminal, json, markdown\n',
  );
});

test('a wrong COLLAB_FOLLOW is refused before anything is recorded', async () => {
  const { answered, engine } = asking();
  const env = { CLAUDECODE: '1', COLLAB_FOLLOW: 'soon' };
  const args = ['answer', 'latest', '--file', '-'];
  const { code, err } = await collab({ root: '/', env }, args, { engine, input: 'approve' });
  expect([code, err.split('\n')[0], answered]).toEqual([
    2,
    'collab: COLLAB_FOLLOW needs a duration, not "soon"',
    [],
  ]);
});

test('a run in the folder without a question names its state and the next step', async () => {
  const root = scratchFolder();
  savedRun(join(root, '.collab'), runId, workflowInput(), null);
  const args = ['answer', 'latest', '--file', '-'];
  expect(await collab({ root, env: { HOME: root } }, args, { input: 'approve' })).toEqual({
    code: 2,
    out: '',
    err: `collab: ${runId} has no question: it is interrupted\n  see the next step: collab status ${runId}\n`,
  });
});
