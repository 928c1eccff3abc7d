/** The runs of a tenant for an agent that calls over MCP. Each run has a conversation of its own, so the page shows it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { localTenant, type Guest, type Speaker } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { CallerRuns, WaysByHand } from '../../mcp/caller-runs.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { RunRequest } from '../routes/run-request.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { cancelServed } from './cancel-served.ts';
import { isServersFault, messageOfError } from './refusal-kinds.ts';
import { answerQuestion } from './run-answer.ts';
import { summariseRun, type RunPlace } from './run-view.ts';
import type { FolderRuns } from './tenant-runs.ts';
import { titleOfStart } from './title-of-start.ts';

export interface McpCaller extends Pick<RunRequest, 'token'> {
  readonly tenant: string;
  readonly speaker: Speaker;
  /** The server's address as the caller wrote it: `http://127.0.0.1:8765`. */
  readonly origin: string;
}

export function runsOfCaller(
  server: ServerContext,
  tenantRuns: FolderRuns,
  { tenant, speaker, token, origin }: McpCaller,
): CallerRuns {
  const { conversations, runs, clock, engine, onFault } = server;
  const host = { kind: 'host', behind: personOf(speaker) } as const;
  const { home } = conversations.place(tenant, tenant);
  const placeOf = ({ conversationId }: RunPlace) => conversations.place(tenant, conversationId);

  /** @throws CollabError `run_not_found` */
  function runOf({ runId }: Pick<RunFolder, 'runId'>): RunPlace {
    const found = tenantRuns.all(tenant, conversations.list(tenant)).find((run) => run.runId === runId);
    if (found === undefined) throw new CollabError('run_not_found', `There is no run ${runId}`);
    return found;
  }

  return {
    home,
    clock,
    engine,
    host,
    byHand: byHandOn(origin, tenant, (runId) => runOf({ runId }).conversationId),
    async start(request) {
      const place = conversations.place(tenant, `mcp-${randomUUID()}`);
      const { runId } = await runs.start(place, {
        speaker: host,
        token,
        wanted: { kind: 'start', request },
        title: titleOfStart(request),
        skills: [],
        tokens: {},
        files: [],
      });
      return engine.find(home, runId);
    },
    state: async (found) => (await summariseRun(engine, runOf(found))).state,
    async waitWhileDriven(found, signal) {
      const left = AbortSignal.any([signal, server.stopping]);
      if (left.aborted) return;
      await Promise.race([runs.over(placeOf(runOf(found)), found.runId), once(left, 'abort')]);
      // Another process may drive it: the command line, or another server.
      await engine.untilFree(found, left);
    },
    async answer(found, text) {
      const run = runOf(found);
      const [question] = (await engine.status(found)).open;
      if (question === undefined) {
        throw new CollabError('input', `${found.runId} has no question`, {
          hint: `Call status with run ${found.runId}.`,
        });
      }
      const answer = { run, speaker: host.behind, name: question.name, value: text };
      await answerQuestion(server, placeOf(run), answer);
    },
    async cancel(found) {
      const run = runOf(found);
      await cancelServed(server, placeOf(run), run);
      await runs.over(placeOf(run), found.runId);
    },
    refusalOf(error) {
      if (error instanceof CollabError && !isServersFault(error)) return error;
      onFault(error);
      return { message: messageOfError(error), hint: null };
    },
  };
}

/** @throws CollabError `forbidden` for a speaker that has no agents */
function personOf(speaker: Speaker): { readonly kind: 'owner' } | Guest {
  if (speaker.kind === 'owner' || speaker.kind === 'guest') return speaker;
  throw new CollabError('forbidden', `MCP is not for a ${speaker.kind}`);
}

function byHandOn(origin: string, tenant: string, conversationOf: (run: string) => string): WaysByHand {
  const page = (run: string): string =>
    `${origin}/#/c/${encodeURIComponent(conversationOf(run))}/r/${encodeURIComponent(run)}`;
  return {
    answer: (run) => `on the page ${page(run)}`,
    resume: (run) =>
      tenant === localTenant
        ? `a person continues it at a terminal: collab resume ${run}`
        : `call status with run ${run} again: its server continues it`,
    show: page,
    apply: (run) => (tenant === localTenant ? `collab apply ${run}` : null),
  };
}
