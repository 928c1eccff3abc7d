import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import type { LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import type { Harvest, LeadTurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { createBudget, noLimits } from './budget.ts';
import { createDeadline } from './deadline.ts';
import { performRun } from '../../engine/drive/perform-run.ts';
import { runEnvelope } from '../../engine/journal/open-journal.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createReader, type Reader } from '../reading/reader.ts';
import { sha256 } from '../../text/digest.ts';
import { askLead, type KeepState, type LeadCallOptions } from './lead-call.ts';

const clock = createManualClock();
const agent = { id: 'lead', role: 'lead', provider: 'rehearsal' } as const;
let runFolder = '';

beforeEach(() => {
  runFolder = join(mkdtempSync(join(tmpdir(), 'collab-run-lead-')), 'run-1');
});
afterEach(() => rmSync(join(runFolder, '..'), { recursive: true, force: true }));

const cut: TurnResult = { kind: 'cut', message: 'no such session', sessionId: null, uncounted: false };

test('a missing session got no question: the next attempt opens a new one without using a repeat', async () => {
  const { output, trees } = await ask({ sessionId: 'gone', result: cut });
  expect(output).toMatchObject({ action: 'repeating', sessionId: null, spent: { repeating: 0 } });
  expect(trees).toEqual([]);
});

test('a turn that died in its session is the one repeat, and its edits are undone', async () => {
  const { output, trees } = await ask({
    sessionId: 'kept',
    result: { ...cut, sessionId: 'kept' },
    access: 'edit',
  });
  expect(output).toMatchObject({
    action: 'repeating',
    sessionId: 'kept',
    spent: { repeating: 1 },
    tree: 'begin',
  });
  expect(trees).toEqual(['begin']);
});

test('a session that starts in the middle of the work gets a recap; one that continues does not', async () => {
  const result: TurnResult = {
    kind: 'answered',
    text: 'Done.',
    sessionId: 's',
    usage: null,
    stopReason: null,
  };
  const afresh = await ask({ sessionId: null, result });
  expect(afresh.calls[0]?.prompt).toContain('\nSplit a bill.\n');
  const further = await ask({ sessionId: 's', result });
  expect(further.calls[0]?.prompt).not.toContain('\nSplit a bill.\n');
});

test('secrets are masked in its prompt, also if the prompt is rendered again for a new session', async () => {
  const secret = sampleSecrets[0]?.secret ?? '';
  const { calls } = await ask({ sessionId: 'gone', result: cut, keptSessionId: null, reason: secret });
  const prompts = calls.map(({ prompt }) => prompt);
  expect(prompts).toHaveLength(2);
  for (const prompt of prompts) {
    expect(prompt).toContain('*'.repeat(secret.length));
    expect(prompt).not.toContain(secret);
  }
});

const longText = `${'- A line of the draft.\n'.repeat(3_000)}\n[CONSULT:DESIGN]\nOnce?`;
const answeredLong: TurnResult = {
  kind: 'answered',
  text: longText,
  sessionId: 's',
  usage: null,
  stopReason: null,
};

test('the request in a long text is read with the turn, and the machine does not read it again', async () => {
  const reading = { kind: 'request', text: 'Once?' } as const;
  const asked: unknown[] = [];
  const leadText: Reader['leadText'] = async (...args) => {
    asked.push(args.slice(0, 2));
    return reading;
  };
  const { output } = await ask({ sessionId: null, result: answeredLong, leadText });
  expect(output).toMatchObject({ action: 'answered', text: longText, reading });
  expect(asked).toEqual([[longText, 'implementation']]);
  const short = await ask({ sessionId: 's', result: { ...answeredLong, text: 'Done.' }, leadText });
  expect([short.output, asked]).toEqual([expect.not.objectContaining({ reading }), [expect.anything()]]);
});

test('a long text that is not read in time is refused', async () => {
  const { output } = await ask({ sessionId: null, result: answeredLong, leadText: async () => null });
  expect(output).toMatchObject({
    action: 'exhausted',
    text: null,
    failure: { cause: 'protocol', detail: "the lead's answer could not be read within 4 s" },
  });
});

const done: TurnResult = { kind: 'answered', text: 'Done.', sessionId: 's', usage: null, stopReason: null };

test('the state after a turn is kept with its record; nothing is kept of a turn that changed nothing', async () => {
  const states: unknown[] = [];
  const keep: KeepState = async (attempt, state) => {
    states.push(state);
    return { ...state, pack: attempt.keep('the pack') };
  };
  const { output } = await ask({ sessionId: null, result: done, access: 'edit', keep });
  const kept = { tree: 'after', commit: null, pack: sha256('the pack') };
  expect(output).toMatchObject({ action: 'answered', tree: 'after', kept });
  const unchanged = { access: 'edit', keep, treeBefore: 'after' } as const;
  const idle = await ask({ sessionId: 'idle', result: done, ...unchanged });
  const reading = await ask({ sessionId: 'reads', result: done, keep });
  const failed = await ask({ sessionId: 'cut', result: cut, access: 'edit', keep });
  for (const { output: other } of [idle, reading, failed]) expect(other).not.toHaveProperty('kept');
  expect(states).toEqual([{ tree: 'after', commit: null }]);
});

test('a turn that made more than can be kept is undone, and ends the work', async () => {
  const { output, trees } = await ask({
    sessionId: null,
    result: done,
    access: 'edit',
    keep: async () => null,
  });
  expect(output).toMatchObject({
    action: 'exhausted',
    text: null,
    tree: 'begin',
    failure: {
      cause: 'protocol',
      detail: 'the lead made more than a run takes along that another machine drives',
    },
  });
  expect(trees).toEqual(['begin']);
});

test('a lost turn whose edits were made in the folder of another drive is made again', async () => {
  const asked = { result: done, access: 'edit', found: answeredEarlier } as const;
  const here = await ask({ ...asked, sessionId: 'here' });
  expect(here.output).toMatchObject({ text: 'Done earlier.' });
  expect(here.calls).toEqual([]);
  const elsewhere = await ask({ ...asked, sessionId: 'elsewhere', keep: keepPack });
  expect(elsewhere.output).toMatchObject({ text: 'Done.', tree: 'after' });
  expect(elsewhere.calls).toMatchObject([{ sessionId: 'lost' }]);
  expect(elsewhere.trees).toContain('begin');
});

const keepPack: KeepState = async (attempt, state) => ({ ...state, pack: attempt.keep('the pack') });
const answeredEarlier: Harvest = { kind: 'answered', text: 'Done earlier.', usage: null };

interface Asked extends Pick<LeadAskInput, 'sessionId'> {
  readonly result: TurnResult;
  readonly access?: 'read' | 'edit';
  /** The session that the lead had before its turn. */
  readonly keptSessionId?: string | null;
  readonly reason?: string;
  readonly leadText?: Reader['leadText'];
  readonly keep?: KeepState;
  readonly treeBefore?: string;
  /** The result of a search for the turn of a process that died. */
  readonly found?: Harvest;
}

async function ask({
  sessionId,
  result,
  access = 'read',
  keptSessionId = sessionId,
  reason = 'silence',
  leadText,
  keep,
  treeBefore = 'begin',
  found,
}: Asked) {
  const calls: LeadTurnRequest[] = [];
  const trees: string[] = [];
  const input: LeadAskInput = {
    lead: {
      path: 'implementation/1/implement-2',
      work: { kind: 'implement', phase: 'implementation', round: 1, access },
      message: { kind: 'no_advice', reason },
      recap: {
        brief: { task: 'Split a bill.', template: '', settled: [], manifest: null, language: null },
        said: '',
      },
      sessionId: keptSessionId,
      tree: 'begin',
      budgets: { waiting: 3 },
    },
    turn: 1,
    message: { kind: 'no_advice', reason },
    sessionId,
    tree: treeBefore,
    spent: { waiting: 0, repeating: 0 },
    wait: null,
  };
  const stop = new AbortController();
  const lead: LeadCallOptions['lead'] = {
    turn: async (call) => {
      if (found !== undefined && !stop.signal.aborted) {
        await call.bind('lost');
        stop.abort();
        return cut;
      }
      calls.push(call);
      return result;
    },
    harvest: async () => found ?? { kind: 'not_sent' },
  };
  const perform = async (signal: AbortSignal) =>
    performRun<LeadAskOutput>({
      runFolder: join(runFolder, String(sessionId)),
      envelope: runEnvelope({ agent }),
      clock,
      signal,
      start: { type: 'run.started', name: 'Rehearsal', tools: [], cwd: '/' },
      body: (context) =>
        askLead(context, input, {
          fenceSeed: 'seed',
          lead,
          leadAgent: agent,
          copy: {
            folder: '/work',
            snapshot: async () => 'after',
            restore: async (tree) => void trees.push(tree),
          },
          keep,
          clock,
          deadline: createDeadline(null, clock),
          budget: createBudget(noLimits),
          limits: { limits: { first_sign_ms: 1000, idle_ms: 1000, total_ms: 1000 } },
          waitsMs: [1],
          introduce: async () => {},
          onRefusal: () => {},
          actorSignal: new AbortController().signal,
          ...(leadText === undefined ? {} : { reader: { ...createReader({ program: null }), leadText } }),
        }),
      settle: () => null,
    });
  if (found !== undefined) await perform(stop.signal);
  const departure = await perform(new AbortController().signal);
  if (departure.kind !== 'settled') throw new Error(departure.kind);
  return { output: departure.result, calls, trees };
}
