/** An editor in this process: the SDK's client, connected to the agent, whose runs are driven here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  client,
  type ClientContext,
  type ContentBlock,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { scratchRepository, type ScratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { findOwner } from '../../engine/lock/lock.ts';
import { continueRun } from '../../runs/continue-run.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { resultState } from '../../runs/folder/result-file.ts';
import { sessionIn } from '../command.test-helper.ts';
import { readCommand } from '../program.ts';
import type { Session } from '../session.ts';
import { createAcpAgent } from './agent.ts';

export type UpdateOf<Kind extends SessionUpdate['sessionUpdate']> = Extract<
  SessionUpdate,
  { sessionUpdate: Kind }
>;

export type Person = (asked: RequestPermissionRequest) => unknown;

export interface EditorHere {
  readonly agent: ClientContext;
  readonly updates: SessionUpdate[];
  readonly of: <Kind extends SessionUpdate['sessionUpdate']>(kind: Kind) => readonly UpdateOf<Kind>[];
  /** The text of all messages of the agent so far. */
  readonly said: () => string;
  readonly open: () => Promise<string>;
  /** Returns the reason of the prompt's end. */
  readonly prompt: (sessionId: string, prompt: string | ContentBlock[]) => Promise<string>;
  /** Resolves when an update fits. */
  readonly seen: (fits: (update: SessionUpdate) => boolean) => Promise<void>;
  readonly leave: () => Promise<void>;
}

export interface Desk {
  readonly repository: ScratchRepository;
  readonly session: Session;
  /** The text on standard error. */
  readonly errors: () => string;
  /** Both agents play this script from now on. */
  readonly play: (script: object) => void;
  readonly connect: (person?: Person) => Promise<EditorHere>;
}

/** A repository, and a person whose configuration names a rehearsed pair. */
export function createDesk(script: object): Desk {
  const repository = scratchRepository();
  repository.write('README.md', '# one\n');
  repository.commit('begin');
  const home = repository.env['HOME'] ?? '';
  const play = (next: object): void => writeFileSync(join(home, 'pair.yaml'), stringify(next));
  play(script);
  const agent = `rehearsal:${join(home, 'pair.yaml')}`;
  mkdirSync(join(home, '.config/collab'), { recursive: true });
  writeFileSync(join(home, '.config/collab/collab.config.yaml'), stringify({ lead: agent, advisor: agent }));
  const { session, printed } = sessionIn(repository);
  const stop = new AbortController();
  const drives: Promise<unknown>[] = [];
  onTestFinished(async () => {
    stop.abort();
    await Promise.allSettled(drives);
  });

  async function drive({ env, clock }: Session, { runId, path: runFolder }: OpenedRun): Promise<void> {
    const driven = continueRun({ runFolder, runId, env, clock, signal: stop.signal });
    drives.push(driven);
    const over = new AbortController();
    driven.then(
      () => over.abort(),
      () => over.abort(),
    );
    while (
      !over.signal.aborted &&
      (await findOwner(runFolder)) === null &&
      resultState(runFolder) !== 'ended'
    )
      await clock.sleep(5);
  }

  return {
    repository,
    session,
    errors: () => printed().err,
    play,
    connect: (person) => connect(session, drive, person),
  };
}

async function connect(
  session: Session,
  drive: (session: Session, found: OpenedRun) => Promise<void>,
  person?: Person,
): Promise<EditorHere> {
  const gone = new AbortController();
  const updates: SessionUpdate[] = [];
  const waiting = new Set<() => void>();
  const app = client({ name: 'editor' }).onNotification('session/update', ({ params }) => {
    updates.push(params.update);
    for (const look of waiting) look();
  });
  if (person !== undefined) {
    app.onRequest(
      'session/request_permission',
      // A test may answer with anything.
      (params: unknown) => z.custom<RequestPermissionRequest>().parse(params),
      async ({ params }) => person(params),
    );
  }
  const connection = createAcpAgent(session, { read: readCommand, gone: gone.signal, drive });
  const here = app.connect(connection);
  onTestFinished(() => here.close());
  here.signal.addEventListener('abort', () => gone.abort());
  const { agent } = here;
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return {
    agent,
    updates,
    of: (kind) => updates.filter((update): update is UpdateOf<typeof kind> => update.sessionUpdate === kind),
    said: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    open: async () => (await agent.request('session/new', { cwd: session.cwd, mcpServers: [] })).sessionId,
    async prompt(sessionId, prompt) {
      const blocks = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
      return (await agent.request('session/prompt', { sessionId, prompt: blocks })).stopReason;
    },
    seen: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!updates.some(fits)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async leave() {
      here.close();
      await here.closed;
    },
  };
}
