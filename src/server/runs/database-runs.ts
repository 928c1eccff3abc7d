/**
 * The runs of a server on a database: it submits them, and any worker drives them. The server holds nothing of a run, so that any
 * other server on the same database can follow, answer and cancel it.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { orConversationLocked } from '../conversations/conversation-locks.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { RunRequest, WantedRun } from '../routes/run-request.ts';
import { endingLast, type FrameSource } from '../streams/event-stream-port.ts';
import { createStreamingFraming } from '../streams/framing.ts';
import { createRefusedStreams } from '../streams/refused-streams.ts';
import { refuseFiles, startCallOf } from './prepare-run.ts';
import { isServersFault, kindOfError, messageOfError } from './refusal-kinds.ts';
import type { RunManager, RunManagerOptions } from './run-manager.ts';
import type { TenantRuns } from './tenant-runs.ts';

export interface DatabaseRunsOptions extends Pick<
  RunManagerOptions,
  'ports' | 'clock' | 'streams' | 'projection' | 'hidePaths' | 'tokens' | 'onFault' | 'onNews'
> {
  readonly engine: DatabaseEngine;
  readonly tenantRuns: TenantRuns;
}

export function createDatabaseRuns(options: DatabaseRunsOptions): RunManager {
  const { engine, tenantRuns, ports, streams, projection, hidePaths, tokens, onFault, onNews } = options;
  const stopping = new AbortController();
  const refused = createRefusedStreams(options);
  const watched = new Set<string>();

  async function start(place: ConversationPlace, request: RunRequest): Promise<FrameSource> {
    refuseFiles(request);
    const { token } = request;
    const wanted = travellingOf(request.wanted, (words) => ports.readLine(words));
    const call = startCallOf(place, request, { request: wanted, signal: stopping.signal });
    const run = await ports.startRun(call).catch((error: unknown) => {
      throw orConversationLocked(error);
    });
    onNews?.({ kind: 'submitted', runId: run.runId, tenant: place.tenant });
    // A token that is revoked while the run is stored has ended its runs without this one.
    if (token !== null && !tokens.isValid(token)) void endRunsOf(token).catch(onFault);
    else watchToken(token);
    return sourceOf(place, run.runId);
  }

  function sourceOf(place: ConversationPlace, runId: string): FrameSource {
    const source = streams.source({
      runId,
      runFolder: runId,
      kind: 'streaming',
      createFraming: () =>
        createStreamingFraming({ runId, projection, messages: () => null, hide: hidePaths(place.tenant) }),
    });
    return endingLast(source, () => over(runId));
  }

  /** A worker that has left the run has stored its result, and the next run of the conversation may start. */
  async function over(runId: string): Promise<void> {
    await engine.untilFree(runAt(runId), stopping.signal);
  }

  /** Any server that knows the token ends its runs when it is revoked. */
  function watchToken(token: string | null): void {
    if (token === null || watched.has(token) || !tokens.isValid(token)) return;
    watched.add(token);
    tokens.watch(token, () => {
      watched.delete(token);
      void endRunsOf(token).catch(onFault);
    });
  }

  async function endRunsOf(token: string): Promise<void> {
    // A run that cannot be ended keeps no other one alive.
    for (const runId of await engine.rows.openOf(token)) await engine.cancel(runAt(runId)).catch(onFault);
  }

  return {
    start,
    async begin(place, request) {
      try {
        return await start(place, request);
      } catch (error) {
        // A client that may try again later reads the time from the response, not from a stream.
        if (error instanceof CollabError && error.code === 'queue_full') throw error;
        if (isServersFault(error)) onFault(error);
        return refused.refuse(place, kindOfError(error), messageOfError(error));
      }
    },
    async stream(place, runId) {
      const known = refused.find(place, runId);
      if (known !== null) return known;
      return (await tenantRuns.find(place, runId)) === null ? null : sourceOf(place, runId);
    },
    newest: async (place) => (await tenantRuns.of(place))[0]?.runId ?? null,
    over: (_place, runId) => over(runId),
    // The answer is in the records: the next worker that looks continues the run.
    goOn: () => Promise.resolve(),
    async cancel(place, runId) {
      const [newest] = await tenantRuns.of(place);
      if (newest === undefined || (await engine.status(newest)).state === 'ended') return 'nothing_runs';
      if (runId !== null && runId !== newest.runId) return 'another_runs';
      await engine.cancel(newest);
      return 'asked';
    },
    async recover() {
      for (const token of await engine.rows.openTokens()) watchToken(token);
    },
    async stop() {
      stopping.abort(new Error('the server stops'));
    },
  };
}

/** @throws CollabError `usage` for all that a server does not submit yet */
function travellingOf(wanted: WantedRun, readLine: (words: readonly string[]) => StartRequest): StartRequest {
  switch (wanted.kind) {
    case 'refused':
      throw new CollabError('usage', wanted.message);
    case 'turn':
      throw notYet('A conversation');
    case 'line':
      return travelling(readLine(wanted.words));
    case 'start':
      return travelling(wanted.request);
  }
}

function travelling(request: StartRequest): StartRequest {
  if (request.kind === 'review' || request.kind === 'run') return request;
  throw notYet(`A ${request.kind}`);
}

function notYet(what: string): CollabError {
  return new CollabError(
    'usage',
    `${what} cannot start on a server with a database yet; this server starts reviews and runs of phases`,
    {
      hint: 'Start one of these, or use a server without --engine: collab serve.',
    },
  );
}

function runAt(runId: string): RunFolder {
  return { runId, path: runId };
}
