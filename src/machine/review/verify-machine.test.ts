import { createActor, fromPromise, toPromise } from 'xstate';
import { expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { leadMachine } from '../lead/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../lead/lead-types.ts';
import {
  verifyMachine,
  type JudgeInput,
  type JudgeOutput,
  type VerifyInput,
  type VerifyOutput,
} from './verify-machine.ts';

const finding: Finding = {
  id: 'F1',
  identity: 'i',
  severity: 'critical',
  title: 'Wrong',
  body: '',
  path: 'a.ts',
  start_line: 1,
  end_line: 1,
  side: 'new',
  placement: 'exact',
  quote: 'a();',
  verdict: 'unverified',
};

const input: VerifyInput = {
  name: 'verify',
  path: 'review/verify',
  findings: ['F1', 'F2'].map((id) => ({ finding: { ...finding, id }, context: '' })),
  by: 'lead',
  refutes: false,
  reads: 'nothing',
  language: null,
  budgets: { waiting: 0 },
};

const record = { promptBytes: 1, answerBytes: 1, durationMs: 1, usage: null };
const answered: LeadAskOutput = {
  action: 'answered',
  text: 'said',
  failure: null,
  retryAfterMs: null,
  sessionId: 'session',
  tree: '',
  spent: { waiting: 0, repeating: 0 },
  record,
};
const failure = { cause: 'died', detail: 'it is gone', hint: null } as const;
const gone: LeadAskOutput = { ...answered, action: 'unavailable', text: null, failure };

interface Played {
  readonly output: VerifyOutput;
  readonly asked: readonly LeadAskInput[];
  readonly judged: readonly JudgeInput[];
}

async function play(answers: readonly LeadAskOutput[], verdicts: readonly JudgeOutput[]): Promise<Played> {
  const asked: LeadAskInput[] = [];
  const judged: JudgeInput[] = [];
  const machine = verifyMachine.provide({
    actors: {
      lead: leadMachine.provide({
        actors: {
          ask: fromPromise<LeadAskOutput, LeadAskInput>(async (call) => {
            asked.push(call.input);
            return answers[asked.length - 1] ?? gone;
          }),
        },
      }),
      judge: fromPromise<JudgeOutput, JudgeInput>(async (call) => {
        judged.push(call.input);
        return verdicts[judged.length - 1] ?? { judgements: [], unreadable: [] };
      }),
    },
  });
  const actor = createActor(machine, { input });
  const output = toPromise(actor);
  actor.start();
  return { output: await output, asked, judged };
}

const confirmed = (id: string) => ({ id, verdict: 'confirmed', evidence: 'so' }) as const;
const unreadable = [{ id: 'F2', problem: 'has no section REASON' }];

test('readable verdicts settle the check', async () => {
  const { output, asked, judged } = await play(
    [answered],
    [{ judgements: [confirmed('F1'), confirmed('F2')], unreadable: [] }],
  );
  expect(output).toEqual({
    name: 'verify',
    by: 'lead',
    judgements: [confirmed('F1'), confirmed('F2')],
    missing: null,
    turns: [record],
  });
  expect(asked).toMatchObject([
    { lead: { path: 'review/verify/ask-1', work: { kind: 'verify', access: 'read' } } },
  ]);
  expect(judged).toMatchObject([{ number: 1, text: 'said', last: false }]);
});

test('an unreadable verdict is requested once more, with the reason and in the same session', async () => {
  const { output, asked, judged } = await play(
    [answered, answered],
    [
      { judgements: [confirmed('F1')], unreadable },
      { judgements: [confirmed('F2')], unreadable: [] },
    ],
  );
  expect(output.missing).toBeNull();
  expect(asked[1]).toMatchObject({
    sessionId: 'session',
    message: { kind: 'verify', problems: unreadable, findings: [{ finding: { id: 'F2' } }] },
    lead: { path: 'review/verify/ask-2' },
  });
  expect(judged[1]).toMatchObject({ number: 2, last: true, findings: [{ finding: { id: 'F2' } }] });
});

test('a lead that is unavailable leaves the other findings unverified, with the reason', async () => {
  const atOnce = await play([gone], []);
  expect(atOnce.output).toMatchObject({ judgements: [], missing: { ids: ['F1', 'F2'], failure } });
  expect(atOnce.judged).toEqual([]);
  const later = await play([answered, gone], [{ judgements: [confirmed('F1')], unreadable }]);
  expect(later.output).toMatchObject({ judgements: [confirmed('F1')], missing: { ids: ['F2'], failure } });
});
