import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryUnfinishedRun } from '../../../src/events/arbitrary-events.test-helper.ts';
import type { EventBody, Finding } from '../../../src/events/collab-event.ts';
import { rehearse, wholeAnswer } from '../../../src/runs/rehearsed-review.test-helper.ts';
import {
  advisor,
  answered,
  called,
  ended,
  eventStream,
  lead,
  said,
  started,
  used,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import { workflowEvents } from '../../../test/fixtures/transcripts/workflow-events.ts';
import type { EntryOf, RunState } from '../run-state.ts';
import { createRunFold } from './run-fold.ts';
import { foldRun } from './run-fold.test-helper.ts';

function stateOf(...occurrences: readonly (EventBody | Occurrence)[]): RunState {
  return foldRun(eventStream([started(), ...occurrences]));
}

function piece(text: string, step: string): Occurrence {
  return { body: { type: 'text.delta', block_id: 'b', text }, step };
}

function inExchange(body: EventBody): Occurrence {
  return { body, agent: advisor, exchangeId: 'ex', step: 'turn-1' };
}

function textsOf({ entries }: RunState): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'text' ? [entry.text] : []));
}

function toolsOf({ entries }: RunState): readonly EntryOf<'tool'>[] {
  return entries.filter((entry) => entry.kind === 'tool');
}

const finding: Finding = {
  id: 'F1',
  identity: 'x',
  severity: 'critical',
  title: 'Rounded too early',
  body: 'The total is rounded before tax.',
  path: 'src/total.ts',
  start_line: 2,
  end_line: 2,
  side: 'new',
  placement: 'exact',
  quote: 'const total = 1',
  verdict: 'unverified',
};

describe('a run on the page', () => {
  test('the same events give the same state, however they are split into batches', () => {
    const property = fc.property(arbitraryUnfinishedRun(), fc.array(fc.nat(40)), (run, cuts) => {
      const fold = createRunFold();
      let rest = run;
      for (const cut of cuts) {
        fold.add(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(fold.add(rest)).toEqual(foldRun(run));
    });
    fc.assert(property);
  });

  test('a part that no event changes stays the same object', () => {
    const fold = createRunFold();
    const before = fold.add(workflowEvents.slice(0, -1));
    const [last] = eventStream([{ type: 'title', title: 'Totals' }]);
    const after = fold.add(last === undefined ? [] : [last]);
    expect(after.title).toBe('Totals');
    const parts = ['phases', 'entries', 'exchanges', 'questions', 'reviews', 'activities', 'usage'] as const;
    expect(parts.filter((part) => after[part] !== before[part])).toEqual([]);
  });

  test('a returned state does not change anymore', () => {
    const fold = createRunFold();
    const [head, ...rest] = eventStream([started(), ...said('one two three four')]);
    const first = fold.add(head === undefined ? [] : [head, ...rest.slice(0, 2)]);
    const before = structuredClone(first);
    fold.add(rest.slice(2));
    expect(first).toEqual(before);
  });

  test('the phases have their rounds and results, and every entry knows its phase', () => {
    const { phases, entries } = foldRun(workflowEvents);
    expect(phases.map(({ phase, round, ended: end }) => [phase, round, end?.result])).toEqual([
      ['requirements', 1, 'settled'],
      ['design', 1, 'settled'],
      ['review', 1, '1 critical finding'],
    ]);
    const design = phases.findIndex(({ phase }) => phase === 'design');
    const text = entries.find((entry) => entry.kind === 'text' && entry.text.startsWith('I read the code'));
    expect(text?.phase).toBe(design);
  });

  test('an exchange has its attempts, missing parts, repeated requests and reverse requests', () => {
    const [first] = foldRun(workflowEvents).exchanges;
    expect(first).toMatchObject({
      tag: '[CONSULT:DESIGN]',
      outcome: 'settled',
      question: expect.stringContaining('total'),
    });
    expect(
      first?.attempts.map(({ number, rejected, received }) => [
        number,
        rejected?.reason,
        rejected?.action,
        received?.mergedFrom,
      ]),
    ).toEqual([
      [1, 'marker_absent', 'repairing', undefined],
      [2, 'incomplete', 'completing', undefined],
      [3, undefined, undefined, [2, 3]],
    ]);
    expect(first?.attempts[1]?.rejected?.detail).toBe('missing: RISKS');
    expect(first?.reverse).toEqual([
      {
        tag: '[CONSULT:CLAUDE:CONTEXT]',
        text: 'How is `subtotal` made?',
        step: expect.any(String),
        answer: { by: 'lead', text: '## CONTEXT\n\nBy adding the items.', declined: null },
      },
    ]);
  });

  test('a rehearsed review ends with the plan, findings, coverage and outcome of its result', async () => {
    const review = await rehearse({
      turns: [{ repeat: 'forever', answer: wholeAnswer }],
      assurance: 'model',
    });
    await review.drive();
    const state = foldRun(review.journal());
    const result = review.result();
    expect(state.end).toMatchObject({ outcome: result.outcome, reasons: result.reasons });
    expect(state.reviews).toHaveLength(1);
    expect(state.reviews[0]?.plan).toMatchObject({ files: result.coverage.files_changed });
    expect(state.reviews[0]?.coverage).toEqual([{ path: 'src/total.ts', status: 'reviewed', reason: null }]);
    expect(state.exchanges.map(({ outcome }) => outcome)).toEqual(['settled']);
    expect(state.activities).toEqual([]);
    expect(state.lastSeq).toBe(review.journal().length);
  });

  test('a text grows with its deltas and is closed by its end', () => {
    const open = stateOf(
      { type: 'text.delta', block_id: 'b', text: 'one ' },
      { type: 'text.delta', block_id: 'b', text: 'two' },
    );
    expect(open.entries).toMatchObject([{ kind: 'text', text: 'one two', isOpen: true, id: 2 }]);
    expect(stateOf(...said('one two')).entries).toMatchObject([{ text: 'one two', isOpen: false }]);
  });

  test('a tool call has its state, its output and its result', () => {
    const call = called('c1', 'Bash', { command: 'npm test' });
    const running = stateOf(
      call,
      { type: 'tool.status', call_id: 'c1', status: 'running', message: '' },
      { type: 'tool.output', call_id: 'c1', chunk: 'ok 1\n' },
    );
    expect(toolsOf(running)).toMatchObject([{ status: 'running', output: 'ok 1\n', result: null }]);
    expect(running.activities).toMatchObject([{ doing: 'tool', tool: expect.stringContaining('npm test') }]);
    const failed = stateOf(call, answered('c1', 'Bash', 'no such file', true));
    expect(toolsOf(failed)).toMatchObject([
      { status: 'error', result: { content: 'no such file', isError: true } },
    ]);
  });

  test('open entries of a lost attempt are removed, and later ones take their place', () => {
    const lost: EventBody = { type: 'step.abandoned', step: 'a', attempt: 1 };
    const state = stateOf(
      piece('half a sen', 'a'),
      piece('another', 'b'),
      { body: called('c1', 'Read', {}), step: 'a' },
      { body: lost },
      piece(' step', 'b'),
      piece('a whole sentence', 'a'),
    );
    expect(textsOf(state)).toEqual(['another step', 'a whole sentence']);
    expect(toolsOf(state)).toEqual([]);
    expect(state.entries.filter(({ kind }) => kind === 'lost')).toHaveLength(1);
    expect(new Set(state.activities.map(({ step }) => step))).toEqual(new Set(['a', 'b']));
  });

  test('attempts that were lost together are shown once, and those lost separately each', () => {
    const state = stateOf(gone('a'), gone('b'), gone('c', 'refused'), gone('d', 'refused'));
    expect(state.entries.map((entry) => entry.kind === 'lost' && entry.reason)).toEqual(['lost', 'refused']);
  });

  test('a lost attempt of an exchange that is sent again is the same one', () => {
    const sent: EventBody = {
      type: 'exchange.sent',
      tag: '[CONSULT:DESIGN]',
      attempt: 1,
      prompt_bytes: 10,
      prompt_ref: 'p',
    };
    const state = stateOf(
      inExchange(sent),
      { body: { type: 'step.abandoned', step: 'turn-1', attempt: 1 } },
      inExchange(sent),
    );
    expect(state.exchanges.map(({ attempts }) => attempts.map(({ prompts }) => prompts.length))).toEqual([
      [1],
    ]);
    expect(state.entries.filter(({ kind }) => kind === 'exchange')).toHaveLength(1);
  });

  test('a second round of review starts without findings, and the first one keeps its own', () => {
    const plan: EventBody = { type: 'review.planned', files: 1, lines: 3, skipped: [], chunks: [] };
    const state = stateOf(
      { body: plan, step: 'review/1/plan' },
      { type: 'finding.reported', finding },
      { type: 'finding.judged', id: 'F1', verdict: 'confirmed', evidence: 'line 2 says so' },
      { body: plan, step: 'review/2/plan' },
      { body: { type: 'step.abandoned', step: 'review/2/plan', attempt: 1 } },
      { body: plan, step: 'review/2/plan' },
    );
    expect(
      state.reviews.map(({ round, findings }) => [round, findings.map(({ verdict }) => verdict)]),
    ).toEqual([
      [1, ['confirmed']],
      [2, []],
    ]);
  });

  test('a question is open until it is answered; the same name may be asked again', () => {
    const ask: EventBody = { type: 'question.asked', name: 'gate', kind: 'gate', text: 'Go on?', schema: {} };
    const state = stateOf(ask, { type: 'question.answered', name: 'gate', by: 'user', value: 'yes' }, ask);
    expect(state.questions.map(({ answer }) => answer)).toEqual([{ by: 'user', value: 'yes' }, null]);
  });

  test('a question has its text, its schema and the phase in which it was asked', () => {
    const ask: EventBody = {
      type: 'question.asked',
      name: 'gate',
      kind: 'gate',
      text: 'Go on?',
      schema: { type: 'string' },
    };
    const phased = stateOf({ type: 'phase.started', phase: 'design', round: 1 }, ask);
    expect(phased.questions).toMatchObject([
      { name: 'gate', kind: 'gate', text: 'Go on?', schema: { type: 'string' }, answer: null },
    ]);
    expect(phased.questions[0]?.phase).toBe(0);
    expect(stateOf(ask).questions[0]?.phase).toBeNull();
  });

  test('usage counts every call once, by model, and an unknown price makes the sum unknown', () => {
    const { usage } = stateOf(used(1500, 500, 0.0075), used(100, 50, 0.0025));
    expect(usage.total).toMatchObject({ calls: 2, costUsd: 0.01, tokens: { input: 1600, output: 550 } });
    const unpriced = { model: 'm', input: 1, output: 1, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
    const both = stateOf(used(1500, 500, 0.0075), {
      type: 'usage',
      ...unpriced,
      cost: null,
      cost_basis: 'unknown',
    });
    expect(both.usage.total.costUsd).toBeNull();
    expect(both.usage.byModel.map(({ costUsd }) => costUsd)).toContain(null);
  });

  test('usage by phase adds the rounds of a phase; calls before the first phase belong to none', () => {
    const { usage } = stateOf(
      used(100, 10, 0.01),
      { type: 'phase.started', phase: 'design', round: 1 },
      used(1500, 500, 0.02),
      { type: 'phase.started', phase: 'review', round: 1 },
      used(200, 20, 0.03),
      { type: 'phase.started', phase: 'design', round: 2 },
      used(300, 30, 0.04),
    );
    expect(usage.byPhase.map(({ phase, calls, costUsd }) => [phase, calls, costUsd?.toFixed(2)])).toEqual([
      ['design', 2, '0.06'],
      ['review', 1, '0.03'],
    ]);
    expect(usage.total.calls).toBe(4);
  });

  test('the speaker is the session’s own agent, another one, or one that an agent started', () => {
    const state = stateOf(
      { body: { type: 'text.delta', block_id: 'a', text: 'lead' }, agent: lead },
      { body: { type: 'text.delta', block_id: 'b', text: 'advisor' }, agent: advisor, exchangeId: 'ex' },
      {
        body: { type: 'agent.started', agent_id: 's1', agent_type: 'Explore', description: 'looks' },
        agent: lead,
      },
      { body: { type: 'text.delta', block_id: 'c', text: 'sub' }, agent: lead, parentAgentId: 's1' },
    );
    const speakers = state.entries.map(({ speaker }) => [speaker.role, speaker.name, speaker.depth]);
    expect(speakers).toEqual([
      ['lead', 'Claude Code', 0],
      ['advisor', 'Codex', 1],
      ['lead', 'Claude Code', 0],
      ['sub', 'Explore', 1],
    ]);
  });

  test('no agent is at work on an exchange that has ended without the end of its turn', () => {
    const exchange = { agent: advisor, exchangeId: 'e1' } as const;
    const state = stateOf(
      { body: { type: 'text.delta', block_id: 'a', text: 'x' }, ...exchange },
      { body: { type: 'exchange.ended', outcome: 'settled', attempts: 1 }, ...exchange },
    );
    expect(state.activities).toEqual([]);
  });

  test('no agent is at work once the run has ended', () => {
    const state = stateOf(
      { type: 'turn.started' },
      { type: 'text.delta', block_id: 'a', text: 'x' },
      ended(),
    );
    expect(state.activities).toEqual([]);
    expect(state.end).toMatchObject({ status: 'success', durationMs: 1234 });
  });
});

function gone(step: string, reason: 'lost' | 'refused' = 'lost'): EventBody {
  return { type: 'step.abandoned', step, attempt: 1, reason };
}
