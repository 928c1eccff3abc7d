/** A prompt's turn at an editor whose engine holds one run, which the test plays. */
import type { RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { eventStream } from '../../../test/fixtures/screens/event-streams.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Question, RunStatus } from '../../engine/port.ts';
import type { CollabEvent, CollabEventOf, EventBody } from '../../events/collab-event.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { openRun, type OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { consultInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { sessionIn } from '../command.test-helper.ts';
import type { Turn } from './turn.ts';

/** The run as its engine reports it; a test changes it. */
export interface PlayedRun {
  state: RunStatus;
  readonly open: CollabEventOf<'question.asked'>[];
  readonly records: CollabEvent[];
  result: RunResult | null;
  isDriven: boolean;
}

export interface TurnHow {
  readonly root?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: RunInput;
  /** The runs of the session. */
  readonly runs?: readonly string[];
  /** Returns the option that the person chooses. */
  readonly person?: (asked: RequestPermissionRequest) => string;
  /** Plays the drive of the run. */
  readonly drive?: (run: PlayedRun) => void;
  readonly cancel?: (run: PlayedRun) => 'asked' | 'ended';
  /** Replaces methods of the engine. */
  readonly engine?: Partial<Engine>;
}

/** Appends records of these bodies. */
export function happens(run: PlayedRun, ...bodies: readonly EventBody[]): void {
  run.records.push(...eventStream(bodies));
}

/** A question of a run, and its name. */
export type Asked = Pick<Question<unknown>, 'kind' | 'text' | 'schema'> & { readonly name: string };

/** Lets the run wait for an answer to this question alone. */
export function asks(run: PlayedRun, { name, kind, text, schema }: Asked): void {
  run.state = 'waiting';
  const asked = { type: 'question.asked', name, kind, text, schema: z.json().parse(schema) } as const;
  run.open.splice(0, 1, { ...journalRecord(asked), ...asked });
}

export function createTurn(how: TurnHow = {}) {
  const { root = '/nowhere', env = {}, input = consultInput(), runs = ['r1'] } = how;
  const run: PlayedRun = { state: 'ended', open: [], records: [], result: null, isDriven: false };
  const [updates, asked, done]: [SessionUpdate[], RequestPermissionRequest[], unknown[]] = [[], [], []];
  const [cancelling, leaving] = [new AbortController(), new AbortController()];
  const found: OpenedRun = openRun({ runId: 'r1', path: '/nowhere/r1' }, { input });

  const methods: Partial<Engine> = {
    async find(_home, wanted) {
      done.push(['find', wanted]);
      if (wanted !== 'r1') throw new CollabError('run_not_found', `There is no run ${wanted}`);
      return found;
    },
    status: async () => ({
      state: run.state,
      open: run.open,
      questions: new Map(),
      // oxlint-disable-next-line no-unsafe-type-assertion -- only its presence is read
      ended: run.state === 'ended' ? ({} as never) : null,
    }),
    records: async () => run.records,
    async *events(_run, after, signal) {
      for (let at = after; !signal.aborted;) {
        const fresh = run.records.slice(at);
        at = run.records.length;
        if (fresh.length === 0 && (run.state === 'ended' || run.state === 'interrupted')) return;
        yield fresh.map((event) => ({ event, text: '' }));
        await new Promise(setImmediate);
      }
    },
    isDriven: async () => run.isDriven,
    result: async () => run.result,
    async answer(_run, { name, value, by }) {
      done.push(['answer', name, value, by]);
      run.open.shift();
    },
    async cancel() {
      done.push(['cancel']);
      return how.cancel?.(run) ?? 'asked';
    },
    async untilFree() {
      done.push(['untilFree']);
      return 'free';
    },
    ...how.engine,
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a turn asks of an engine
  const engine = methods as Engine;
  const { session } = sessionIn({ root, env }, { engine });
  const client = {
    async notify(_method: string, { update }: { update: SessionUpdate }) {
      updates.push(update);
    },
    async request(_method: string, params: RequestPermissionRequest) {
      asked.push(params);
      return { outcome: { outcome: 'selected', optionId: how.person?.(params) ?? 'nothing' } };
    },
  };
  const started: OpenedRun[] = [];
  const turn: Turn = {
    client,
    sessionId: 's',
    session,
    gone: leaving.signal,
    cancelled: cancelling.signal,
    async drive(_session, { runId }) {
      done.push(['drive', runId === 'r1' ? 'r1' : 'started']);
      how.drive?.(run);
    },
    runs: () => runs,
    onStarted: (begun) => void started.push(begun),
    say: async (text) => void done.push(['say', text]),
  };
  return {
    turn,
    run,
    found,
    /** The permissions that the person was asked for. */
    asked,
    started,
    cancel: () => cancelling.abort(),
    leave: () => leaving.abort(new Error('left')),
    /** The writes to runs and the texts, in order, without the reads. */
    done: () => done.filter((each) => !['find', 'untilFree'].includes(String(Object(each)[0]))),
    allDone: done,
    updates,
    /** The texts of all messages. */
    said: () =>
      updates.flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? [update.content.text]
          : [],
      ),
  };
}
