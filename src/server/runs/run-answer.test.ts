import { expect, test } from 'vitest';
import { owner, type Speaker } from '../../access/speaker.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import type { QuestionMemory } from '../../engine/drive/run-state.ts';
import { applyQuestion, approvalQuestion } from '../../runs/calls/gate-question.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { answerQuestion } from './run-answer.ts';
import type { RunPlace } from './run-view.ts';

const place: ConversationPlace = { home: '/home', tenant: 'acme', id: 'first', folder: '/home/first' };
const run: RunPlace = {
  runId: 'r1',
  path: '/runs/r1',
  conversationId: 'first',
  known: {
    kind: 'workflow',
    title: 'Add a total.',
    subject: null,
    state: 'waiting',
    grants: ['run'],
    token: 'abcdefghij',
  },
};
const key = `sk-ant-api03-${'a1B2'.repeat(23)}`;

test('an answer is recorded with its secrets masked, and a run that waits goes on as the same one', async () => {
  const server = serverWith({});
  await server.answer('open', { REASON: `see ${key}` });
  expect(server.answers).toEqual([
    { name: 'open', value: { REASON: expect.stringMatching(/^see \*+$/) }, by: 'user' },
  ]);
  expect(server.continued).toEqual([
    {
      run_id: 'r1',
      kind: 'workflow',
      title: 'Add a total.',
      subject: null,
      state: 'running',
      starts: 1,
      grants: ['run'],
      token: 'abcdefghij',
    },
  ]);
});

test('a run that a process drives is left to it; one of the command line goes on without grants', async () => {
  const driven = serverWith({ isDriven: true });
  await driven.answer('open', {});
  expect([driven.answers.length, driven.continued]).toEqual([1, []]);
  const other = serverWith({});
  await other.answer('open', {}, owner, { ...run, known: null });
  expect(other.continued).toMatchObject([{ kind: 'review', title: '', grants: [], token: null }]);
});

test.each([
  ['nothing', 404, 'The run has no question nothing'],
  ['old', 409, 'The question old is already answered'],
])('the question %s takes no answer', async (name, status, message) => {
  const server = serverWith({});
  await expect(server.answer(name, {})).rejects.toMatchObject({ status, message });
  expect([server.answers, server.continued]).toEqual([[], []]);
});

test('a run that has ended takes no answer', async () => {
  const server = serverWith({ hasEnded: true });
  await expect(server.answer('open', {})).rejects.toMatchObject({
    status: 409,
    message: 'The question open is already answered',
  });
});

test('no agent decides at a gate, and a guest lets edits into the files only with the grant', async () => {
  const server = serverWith({});
  const host: Speaker = { kind: 'host', behind: owner };
  await expect(server.answer('approval', 'approve', host)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(server.answer('apply', 'apply', guest('run'))).rejects.toMatchObject({ code: 'forbidden' });
  expect(server.answers).toEqual([]);
  await server.answer('approval', 'approve', guest());
  await server.answer('apply', 'leave', guest());
  await server.answer('apply', 'apply', guest('apply'));
  expect(server.answers).toMatchObject([
    { name: 'approval', value: 'approve' },
    { name: 'apply', value: 'leave' },
    { name: 'apply', value: 'apply' },
  ]);
});

function guest(...grants: readonly string[]): Speaker {
  return { kind: 'guest', tenant: 'acme', grants, providers: [], isServerOpen: false };
}

/** A server of a run with two gates, an open question and one that has its answer. */
function serverWith({ isDriven = false, hasEnded = false }) {
  const answers: unknown[] = [];
  const continued: unknown[] = [];
  const questions = new Map<string, object>([
    ['open', memoryOf({ kind: 'lead_turn', schema: {} })],
    ['old', { ...memoryOf({ kind: 'lead_turn', schema: {} }), answered: {} }],
    ['apply', memoryOf(applyQuestion('Apply?'))],
    ['approval', memoryOf(approvalQuestion('design', 'Go on?', String))],
  ]);
  const server = {
    engine: {
      status: async () => ({ questions, ended: hasEnded ? {} : null }),
      answer: async (_run: RunPlace, answer: unknown) => void answers.push(answer),
      isDriven: async () => isDriven,
      input: async () => null,
    },
    runs: { goOn: async (_place: ConversationPlace, begun: unknown) => void continued.push(begun) },
  };
  return {
    answers,
    continued,
    answer: (name: string, value: string | object, speaker: Speaker = owner, answered = run) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the methods that are called
      answerQuestion(server as unknown as ServerContext, place, {
        run: answered,
        speaker,
        name,
        value: typeof value === 'string' ? value : { ...value },
      }),
  };
}

function memoryOf({ kind, schema }: Pick<QuestionMemory['asked'], 'kind'> & { readonly schema: unknown }) {
  const [asked] = journalRecords([
    { type: 'question.asked', name: 'q', kind, text: '', schema: JSON.parse(JSON.stringify(schema)) },
  ]);
  return { asked, answered: null };
}
