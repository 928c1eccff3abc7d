import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import { checkLaws } from '../../events/laws.ts';
import type { AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { SettledReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import type { LeadTurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import { createBudget, noLimits } from './budget.ts';
import { performRun } from '../../engine/drive/perform-run.ts';
import type { Departure } from '../../engine/port.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { runEnvelope } from '../../engine/journal/open-journal.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { answerRun } from '../../engine/drive/other-process.ts';
import { readStanding } from '../folder/run-status.ts';
import { answerBack, type AnswerWay } from './reverse-request.ts';
import { createDeadline } from './deadline.ts';

const clock = createManualClock();
let runFolder = '';

beforeEach(() => {
  runFolder = join(mkdtempSync(join(tmpdir(), 'collab-answer-back-')), 'run-1');
});
afterEach(() => rmSync(join(runFolder, '..'), { recursive: true, force: true }));

test('X001-7.4 without a lead it is declined with the reason', async () => {
  const departure = await drive({ kind: 'declined', reason: 'nobody is here' });
  expect(departure).toMatchObject({
    kind: 'settled',
    result: { by: 'policy', declined: 'nobody is here', sections: {} },
  });
  expect(answeredBack()).toMatchObject([{ by: 'policy', declined: 'nobody is here', text: '' }]);
});

test.each(['caller', 'user'] as const)(
  'X001-7.1,4 the %s is asked, and the run waits without a process',
  async (by) => {
    expect(await drive({ kind: 'asked', by })).toEqual({
      kind: 'suspended',
      question: 'design/consult/reverse-1',
    });
    const [question] = (await readStanding(runFolder)).open;
    expect(question).toMatchObject({
      kind: 'reverse',
      text: '[CONSULT:CLAUDE:VERIFICATION]\n\nIntegers, then?',
      schema: { title: '[CONSULT:CLAUDE:VERIFICATION]', required: ['VERDICT', 'REASON'] },
    });
    const given = { runFolder, clock, name: question?.name ?? '', by };
    await expect(answerRun({ ...given, value: { VERDICT: 'maybe', REASON: 'x' } })).rejects.toMatchObject({
      code: 'input',
    });
    await answerRun({ ...given, value: { VERDICT: 'approve', REASON: 'It holds.' } });
    const answer = {
      tag: '[RESPONSE:CLAUDE:VERIFICATION]',
      by,
      declined: null,
      sections: { VERDICT: 'approve', REASON: 'It holds.' },
    };
    expect(await drive({ kind: 'asked', by })).toEqual({ kind: 'settled', result: answer });
    expect(answeredBack()).toMatchObject([{ by, text: '## VERDICT\n\napprove\n\n## REASON\n\nIt holds.' }]);
    await expect(answerRun({ ...given, value: { VERDICT: 'reject', REASON: 'No.' } })).rejects.toMatchObject({
      code: 'input',
    });
  },
);

test('X001-7.4 a lead that is an agent answers in a fresh session, reading only', async () => {
  const calls: LeadTurnRequest[] = [];
  const departure = await drive(
    leadWay(async (call) => {
      calls.push(call);
      await call.bind('lead-session');
      call.emit({ type: 'turn.started' });
      call.emit({ type: 'turn.ended', stop_reason: null, usage: null });
      return said('[RESPONSE:CLAUDE:VERIFICATION]\n\n## VERDICT\nrevise\n\n## REASON\nYen.');
    }),
  );
  expect(departure).toMatchObject({
    result: { by: 'lead', declined: null, sections: { VERDICT: 'revise', REASON: 'Yen.' } },
  });
  expect(calls).toMatchObject([
    {
      callId: 'lead_consult-reverse-1/1/1',
      sessionId: null,
      work: { kind: 'answer_back', phase: 'design', round: 1, access: 'read', folder: '/copy' },
      limits: { firstSignMs: 10, firstByteMs: 20, idleMs: 20, totalMs: 77 },
    },
  ]);
  expect(calls[0]?.prompt).toContain('Integers, then?');
  expect(calls[0]?.prompt).toContain('\nIs it sound?\n');
  expect(events().filter(({ type }) => type === 'turn.started')).toMatchObject([
    { agent: { id: 'lead', role: 'lead' }, exchange_id: 'ex_consult' },
  ]);
  // An answered request is not asked again.
  await drive(leadWay(() => Promise.reject(new Error('asked twice'))));
});

test.each<[string, TurnResult, RegExp]>([
  [
    'X001-8 that asks back itself is recorded and refused',
    said('[CONSULT:DESIGN]\n\nWhat do you mean?'),
    /asked back itself with \[CONSULT:DESIGN\]/,
  ],
  ['that gives no verdict', said('Hm.'), /the lead's answer has no section VERDICT/],
  [
    'that was cut at its length limit',
    { ...said('## VERDICT\nrevise\n## REASON\nBecause the'), stopReason: 'max_tokens' },
    /cut at its length limit/,
  ],
  ['that is empty', { kind: 'empty', message: 'no message', sessionId: 's' }, /no message/],
  [
    'that cannot run',
    { kind: 'unavailable', code: 'auth', message: 'not logged in', hint: 'log in' },
    /the lead could not answer: not logged in/,
  ],
  [
    'that is too slow',
    { kind: 'timed_out', limit: 'idle', message: 'no event', sessionId: 's' },
    /the lead could not answer: no event/,
  ],
])('X001-7.4 the answer of a lead %s leaves the request declined', async (_what, result, reason) => {
  const departure = await drive(leadWay(async () => result));
  expect(departure).toMatchObject({ kind: 'settled', result: { by: 'lead', sections: {} } });
  const text = result.kind === 'answered' ? result.text : '';
  expect(answeredBack()).toMatchObject([{ by: 'lead', declined: expect.stringMatching(reason), text }]);
});

test.each([
  ['time', { deadline: overDeadline() }, "the run's time limit is over"],
  ['budget', { budget: createBudget({ ...noLimits, calls: 0 }) }, "the run's budget is spent"],
])(
  'X001-7.4 without %s left the lead is not asked, and the request is declined',
  async (_what, terms, declined) => {
    const way = leadWay(() => Promise.reject(new Error('asked')));
    const departure = await drive({ ...way, ...terms });
    expect(departure).toMatchObject({ kind: 'settled', result: { by: 'lead', declined, sections: {} } });
  },
);

test('secrets are masked in the lead’s prompt', async () => {
  const secret = sampleSecrets[0]?.secret ?? '';
  const prompts: string[] = [];
  const way = leadWay(async ({ prompt }) => {
    prompts.push(prompt);
    return said('## VERDICT\nrevise\n## REASON\nYen.');
  });
  await drive(way, undefined, { ...input, request: { ...input.request, text: `Is ${secret} yours?` } });
  expect(prompts.join('')).toContain(`Is ${'*'.repeat(secret.length)} yours?`);
});

function overDeadline() {
  const deadline = createDeadline(0, clock);
  return { ...deadline, signal: AbortSignal.abort() };
}

test('a lead’s call that was lost with its process is looked up, not paid for again', async () => {
  const stop = new AbortController();
  await drive(
    leadWay(async (call) => {
      await call.bind('lost-session');
      stop.abort();
      throw new Error('cut');
    }),
    stop.signal,
  );
  const asked: unknown[] = [];
  const way = leadWay(() => Promise.reject(new Error('paid again')));
  const departure = await drive({
    ...way,
    lead: {
      ...way.lead,
      harvest: async (...about) => {
        asked.push(about);
        return { kind: 'answered', text: '## VERDICT\nreject\n## REASON\nNo.', usage: null };
      },
    },
  });
  expect(asked).toEqual([['lost-session', 'lead_consult-reverse-1/1']]);
  expect(departure).toMatchObject({ result: { sections: { VERDICT: 'reject', REASON: 'No.' } } });
});

function said(text: string): Extract<TurnResult, { kind: 'answered' }> {
  return { kind: 'answered', text, sessionId: 's', usage: null, stopReason: null };
}

function leadWay(
  turn: (call: LeadTurnRequest) => Promise<TurnResult>,
): Extract<AnswerWay, { kind: 'agent' }> {
  return {
    kind: 'agent',
    lead: { turn, harvest: async () => ({ kind: 'not_sent' }) },
    leadAgent: { id: 'lead', role: 'lead', provider: 'scripted' },
    folder: '/copy',
    fenceSeed: 'seed',
    round: 1,
    deadline: createDeadline(null, clock),
    budget: createBudget(noLimits),
    limits: { limits: within(1000), phase_limits: { design: within(77) } },
  };
}

function within(total_ms: number) {
  return { first_sign_ms: 10, first_byte_ms: 20, idle_ms: 20, total_ms };
}

const spec = exchangeSpecOf('[CONSULT:DESIGN]');

const input: AnswerBackInput = {
  exchange: {
    name: 'consult',
    path: 'design/consult',
    budgets: defaultBudgets,
    request: {
      tag: spec.request,
      question: 'Is it sound?',
      sections: spec.sections,
      required: [],
      optional: [],
      change: null,
      language: null,
    },
  },
  number: 1,
  request: { tag: '[CONSULT:CLAUDE:VERIFICATION]', text: 'Integers, then?' },
};

function drive(
  way: AnswerWay,
  signal = new AbortController().signal,
  asked = input,
): Promise<Departure<SettledReverseAnswer>> {
  const agent = { id: 'advisor', role: 'advisor', provider: 'scripted' } as const;
  return performRun({
    runFolder,
    envelope: runEnvelope({ agent }),
    clock,
    signal,
    start: { type: 'run.started', name: 'Scripted', tools: [], cwd: '/' },
    body: async (context) => {
      // Only an exchange that was sent can be asked back.
      await context.step('sent', {}, async (attempt) => {
        const about = { exchangeId: 'ex_consult' };
        attempt.emit(
          { type: 'exchange.sent', tag: spec.request, attempt: 1, prompt_bytes: 0, prompt_ref: '' },
          about,
        );
        attempt.emit({ type: 'exchange.asked_back', ...asked.request }, about);
        return { value: null };
      });
      return answerBack(context, asked, { way, agent, actorSignal: new AbortController().signal });
    },
    settle: () => null,
  });
}

function events() {
  const { events: written } = readJournal(journalFile(runFolder));
  expect(checkLaws(written)).toEqual([]);
  return written;
}

function answeredBack() {
  return events().filter(({ type }) => type === 'exchange.answered_back');
}
