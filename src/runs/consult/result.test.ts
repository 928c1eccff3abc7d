import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import { exchangeOutput } from '../../machine/workflow/workflow.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { consultInput } from '../folder/saved-runs.test-helper.ts';
import { undriven } from '../run-kind.ts';
import type { ConsultEnding } from './actors.ts';
import {
  cancelledConsult,
  endedConsult,
  failedConsult,
  lastConsultRecord,
  unfinishedConsult,
} from './result.ts';

const lead = { provider: 'user', model: null, chosenBy: 'auto', settings: {} } as const;

function run() {
  const input = consultInput({ lead });
  return undriven({ input, runFolder: scratchFolder(), runId: 'c2', clock: createManualClock() });
}

function ending(output: Partial<ExchangeOutput>, more: Partial<ConsultEnding> = {}): ConsultEnding {
  return { output: exchangeOutput(output), asked: [], turns: [], final: true, ...more };
}

test('a consult that has not ended names its conversation and its agents', () => {
  expect(unfinishedConsult(run(), 'waiting')).toMatchObject({
    run_id: 'c2',
    conversation_id: 'c1',
    state: 'waiting',
    outcome: 'unfinished',
    phase: 'design',
    tag: '[CONSULT:DESIGN]',
    answer_tag: '[RESPONSE:DESIGN]',
    advisor: { provider: 'codex', model: 'gpt-5-codex', version: null },
    lead: { provider: 'user', model: null },
    exit_code: 4,
  });
  const met = { advisor: { model: 'gpt-6', version: '1' }, lead: null };
  expect(unfinishedConsult({ ...run(), met }, 'running').advisor).toMatchObject({
    model: 'gpt-6',
    version: '1',
  });
});

describe.each([
  ['settled', 0, 'success', null],
  ['exhausted', 3, 'error', 'incomplete'],
  ['unavailable', 4, 'error', 'failed'],
] as const)('a consult that is %s', (outcome, exitCode, status, recorded) => {
  const ended = ending({ outcome, detail: 'It is\n late. ', hint: 'wait' });
  const reasons = outcome === 'settled' ? [] : ['It is late; wait'];

  test('has its exit code and its reason on one line', () => {
    expect(endedConsult(run(), ended)).toMatchObject({
      state: 'ended',
      outcome,
      reasons,
      exit_code: exitCode,
    });
    expect(endedConsult(run(), ending({ outcome, detail: null })).reasons).toEqual([]);
  });

  test('is recorded so', () => {
    expect(lastConsultRecord(run(), ended)).toEqual({
      status,
      outcome: recorded,
      reasons: outcome === 'settled' ? ['settled'] : reasons,
      result: null,
      errors: reasons,
      turns: 0,
    });
  });
});

test('a hint that is empty is left out', () => {
  const { reasons } = endedConsult(run(), ending({ outcome: 'exhausted', detail: 'late', hint: '' }));
  expect(reasons).toEqual(['late']);
});

test('the answer has its sections, those that are missing, and the questions of the advisor', () => {
  const names = ['ASSESSMENT', 'RISKS'];
  const { request } = exchangeOutput();
  const sections = [{ name: 'ASSESSMENT', text: 'Sound.', state: 'filled' }];
  const answer = {
    tag: '[RESPONSE:CLAUDE:CONTEXT]',
    by: 'user',
    declined: null,
    sections: { CONTEXT: 'Here.' },
  };
  const asked = [{ request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Where?' }, answer }];
  const output = {
    ...exchangeOutput(),
    request: { ...request, sections: names.map((name) => ({ name, asks: '' })) },
    block: { sections },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the result has
  const result = endedConsult(run(), { output, asked, turns: [], final: true } as unknown as ConsultEnding);
  expect(result).toMatchObject({
    sections,
    missing: ['RISKS'],
    asked_back: [
      {
        tag: '[CONSULT:CLAUDE:CONTEXT]',
        question: 'Where?',
        by: 'user',
        declined: null,
        answer: expect.stringContaining('Here.'),
      },
    ],
    exchanges: [{ id: 'ex_design-1-consult-1' }],
  });
});

test('a canceled consult has no answer, and one that no process can continue says why', () => {
  expect(cancelledConsult(run())).toMatchObject({
    state: 'ended',
    outcome: 'cancelled',
    reasons: ['the consult was cancelled'],
    sections: [],
    missing: [],
    exchanges: [],
    exit_code: 3,
  });
  const cancelled = { output: null, asked: [], turns: [], final: true };
  expect(lastConsultRecord(run(), cancelled)).toMatchObject({
    status: 'cancelled',
    outcome: null,
    errors: [],
  });
  expect(failedConsult(run(), 'it died')).toMatchObject({
    state: 'ended',
    outcome: 'unavailable',
    reasons: ['it died'],
    ended_at: expect.any(String),
    exit_code: 4,
  });
});
