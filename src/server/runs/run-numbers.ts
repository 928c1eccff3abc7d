/** The runs that `/metrics` counts, of all tenants: those in the folders of a server, or those of its database. */
import { localTenant } from '../../access/speaker.ts';
import type { TaskState } from '../../engine/store/dispatcher.ts';
import type { CountedRuns } from '../../observe/metrics/metrics.ts';
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { Clock } from '../../system/clock.ts';
import type { Conversations, ServedConversation } from '../conversations/conversations.ts';
import { runFolderOf } from '../conversations/run-places.ts';

export interface RunNumbers {
  /** `since`: milliseconds since 1970. */
  read(since: number): Promise<CountedNow>;
}

export interface CountedNow {
  /** Several may have the same kind, state and outcome. */
  readonly runs: readonly CountedRuns[];
  /** The runs with records after `since` that may not be counted yet. A run that was one and is missing now gets no more. */
  readonly recorded: readonly RecordedRun[];
}

export interface RecordedRun extends RunFolder {
  /** The number of its last record; null if it was not read. */
  readonly last: number | null;
}

/** A run of a folder. */
interface StoredRun extends CountedRuns, RunFolder {
  /** When it ended, in milliseconds since 1970; null if it has not ended, or if that is not known. */
  readonly endedAt: number | null;
}

interface FolderContext {
  readonly conversations: Conversations;
  readonly engine: Engine;
}

export function folderNumbers({ conversations, engine }: FolderContext): RunNumbers {
  async function runsIn(home: string): Promise<readonly StoredRun[]> {
    const places = new Map((await engine.list(home)).map((place) => [place.runId, place.path]));
    return (await engine.describeAll(home)).map(({ run: runId, kind, state, outcome, ended_at: end }) => ({
      runId,
      path: places.get(runId) ?? '',
      kind: kind ?? 'unknown',
      state,
      outcome: outcome ?? '',
      runs: 1,
      endedAt: end === null ? null : Date.parse(end),
    }));
  }

  function turnsOf(conversation: ServedConversation): readonly StoredRun[] {
    const { tenant_id, conversation_id, updated_at, runs } = conversation;
    const place = conversations.place(tenant_id, conversation_id);
    const turns = runs.filter(({ kind }) => kind === 'turn');
    return turns.map((turn) => ({
      runId: turn.run_id,
      path: runFolderOf(place, turn),
      kind: 'turn',
      state: turn.state,
      outcome: '',
      runs: 1,
      // The conversation was updated then, or later.
      endedAt: turn.state === 'ended' ? Date.parse(updated_at) : null,
    }));
  }

  return {
    async read(since) {
      const served = conversations.all();
      const tenants = new Set([localTenant, ...served.map(({ tenant_id: tenant }) => tenant)]);
      const homes = [...tenants].map((tenant) => runsIn(conversations.place(tenant, tenant).home));
      const stored = [...(await Promise.all(homes)).flat(), ...served.flatMap(turnsOf)];
      const recent = stored.filter(({ endedAt }) => endedAt === null || endedAt >= since);
      return {
        runs: stored.map(({ kind, state, outcome, runs }) => ({ kind, state, outcome, runs })),
        recorded: recent.map(({ runId, path }) => ({ runId, path, last: null })),
      };
    },
  };
}

/** A run that ended so long ago was counted before, also if the clocks of server and database differ. */
const overlapMs = 10 * 60_000;

const stateOf: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  driven: 'running',
  asking: 'waiting',
  done: 'ended',
};

/** Reads `engine.numbers` at each call: an engine that is opened again has other ones. */
export function databaseNumbers(
  engine: Pick<DatabaseEngine, 'numbers'>,
  clock: Pick<Clock, 'now'>,
): RunNumbers {
  let readAt: number | null = null;
  return {
    async read(since) {
      const now = clock.now();
      const counts = await engine.numbers.counts();
      const recorded = await engine.numbers.recorded((readAt ?? since) - overlapMs);
      readAt = now;
      return {
        runs: counts.map(({ kind, state, outcome, runs }) => ({
          kind: kind === 'workflow' ? 'run' : kind,
          state: stateOf[state],
          outcome: state === 'done' ? outcome : '',
          runs,
        })),
        recorded: recorded.map(({ runId, last }) => ({ runId, path: runId, last })),
      };
    },
  };
}
