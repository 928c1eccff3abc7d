/** The common part of both agents' worlds: a folder and agents that end with the test, and recorded turns. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EventBody } from '../../src/events/collab-event.ts';
import type { OpenOptions, TurnCall, TurnResult } from '../../src/providers/contract/contract.ts';

interface Ends {
  close(): Promise<void>;
}

export interface AgentFolder<One extends Ends> {
  readonly root: string;
  /** Writes a file below the root. */
  readonly place: (path: string, content: string, mode?: number) => string;
  /** An agent that is ended with the world. */
  readonly keep: (agent: One) => One;
  /** The state folder of the next run. */
  readonly nextStateFolder: () => string;
  /** Ends every agent that was opened and removes all files. */
  readonly close: () => Promise<void>;
}

export function createAgentFolder<One extends Ends>(prefix: string): AgentFolder<One> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  const opened: One[] = [];
  let runs = 0;
  return {
    root,
    place(path, content, mode = 0o644) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode });
      return file;
    },
    keep(agent) {
      opened.push(agent);
      return agent;
    },
    nextStateFolder: () => join(root, 'state', `run-${(runs += 1)}`),
    async close() {
      await Promise.all(opened.map((agent) => agent.close()));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The default options with which the tests open an agent. */
export function plainOptions(): Pick<OpenOptions, 'signal' | 'runId' | 'model' | 'limits'> {
  return {
    signal: new AbortController().signal,
    runId: 'run-1',
    model: null,
    limits: { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 50_000 },
  };
}

export interface HeardTurn {
  readonly result: TurnResult;
  readonly events: readonly EventBody[];
  readonly bound: readonly string[];
}

/** One turn in a fresh session, with its events. */
export async function hearTurn(
  take: (call: Pick<TurnCall, 'sessionId' | 'signal' | 'emit' | 'bind'>) => Promise<TurnResult>,
): Promise<HeardTurn> {
  const events: EventBody[] = [];
  const bound: string[] = [];
  const result = await take({
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    bind: async (sessionId) => void bound.push(sessionId),
  });
  return { result, events, bound };
}
