/** The agent that an editor talks to: sessions, prompts and their cancellation, over the SDK's connection. */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type AgentContext,
  type PromptRequest,
  type PromptResponse,
} from '@agentclientprotocol/sdk';
import { CollabError } from '../../errors/collab-error.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { fileFaultOf } from '../../system/files/fault.ts';
import { version } from '../../version.ts';
import { driveApart } from '../driving/start-apart.ts';
import { findRun } from '../flags/run-arguments.ts';
import { printableError } from '../printable-error.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { showAgain, type Attendance } from './attend.ts';
import { availableCommands, readAsked } from './commands.ts';
import { show, type Editor } from './editor.ts';
import { readPrompt } from './prompt.ts';
import { message } from './run-updates.ts';
import {
  appendEntry,
  listSessions,
  newSessionId,
  readStoredSession,
  type SessionEntry,
  type StoredSession,
} from './session-store.ts';
import { carryOutPrompt, showRefusal, type Turn } from './turn.ts';

export interface AcpAgentOptions {
  readonly read: Program['read'];
  /** Aborted when the editor is gone. */
  readonly gone: AbortSignal;
  readonly drive?: Attendance['drive'];
}

/** A session that this connection opened. */
interface OpenSession {
  readonly id: string;
  readonly cwd: string;
  readonly runs: string[];
  /** Cancels the prompt at work; null if there is none. */
  cancel: (() => void) | null;
}

/** Each prompt at work may have a run with its own processes. */
const mostTurns = 8;

export function createAcpAgent(
  session: Session,
  { read, gone, drive = driveApart }: AcpAgentOptions,
): AgentApp {
  const sessions = new Map<string, OpenSession>();

  const folder = (cwd: string): Session => ({ ...session, cwd, out: () => undefined });

  function opened(sessionId: string): OpenSession {
    const found = sessions.get(sessionId);
    if (found === undefined) throw RequestError.sessionNotFound(sessionId);
    return found;
  }

  function open(
    { id, cwd }: Pick<StoredSession, 'id' | 'cwd'>,
    entries: readonly SessionEntry[] = [],
  ): OpenSession {
    const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
    const found: OpenSession = { id, cwd, runs, cancel: null };
    sessions.set(id, found);
    return found;
  }

  /** The answer to the request has to arrive first: before it, the editor does not know the session. */
  function announceCommands(client: AgentContext, sessionId: string): void {
    setImmediate(() => {
      show({ client, sessionId, gone }, [
        { sessionUpdate: 'available_commands_update', availableCommands },
      ]).catch(() => undefined);
    });
  }

  function stored(sessionId: string, cwd: string): StoredSession {
    const found = readStoredSession(session, sessionId);
    if (found === null) throw RequestError.sessionNotFound(sessionId);
    if (found.cwd !== cwd) {
      throw RequestError.invalidParams({ cwd: found.cwd }, `cwd: the session belongs to ${found.cwd}`);
    }
    if (sessions.get(sessionId)?.cancel) throw busy();
    return found;
  }

  async function prompt(
    { sessionId, prompt: blocks }: PromptRequest,
    { client, signal }: { readonly client: AgentContext; readonly signal: AbortSignal },
  ): Promise<PromptResponse> {
    const here = opened(sessionId);
    if (here.cancel !== null) throw busy();
    if ([...sessions.values()].filter(({ cancel }) => cancel !== null).length >= mostTurns) throw tooMany();
    const cancelling = new AbortController();
    // A request ends with its connection, too; then the run goes on.
    const onRequestCancel = (): void => {
      if (!gone.aborted) cancelling.abort();
    };
    signal.addEventListener('abort', onRequestCancel, { once: true });
    here.cancel = () => cancelling.abort();
    const remember = (entry: SessionEntry): void => appendEntry(session, here, entry);
    const editor: Editor = { client, sessionId, gone };
    const turn: Turn = {
      ...editor,
      session: folder(here.cwd),
      cancelled: cancelling.signal,
      drive,
      runs: () => here.runs,
      onStarted({ runId }) {
        here.runs.push(runId);
        remember({ kind: 'run', run: runId });
      },
      async say(text) {
        const said = printableError(text);
        remember({ kind: 'said', text: said });
        await show(editor, [message(said)]);
      },
    };
    try {
      await refusing(turn, async () => {
        const wanted = readPrompt(blocks, here.cwd);
        remember({
          kind: 'prompt',
          at: new Date(session.clock.now()).toISOString(),
          text: masked(wanted.text),
        });
        await carryOutPrompt(turn, readAsked(wanted, read));
      });
      return { stopReason: cancelling.signal.aborted ? 'cancelled' : 'end_turn' };
    } catch (error) {
      throw outward(session, error);
    } finally {
      here.cancel = null;
      signal.removeEventListener('abort', onRequestCancel);
    }
  }

  return agent({ name: 'collab' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'collab', title: 'collab', version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      answering(session, () => {
        const { id } = open({ id: newSessionId(session.clock), cwd: folderNamed(params.cwd) });
        announceCommands(client, id);
        return { sessionId: id };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      answering(session, async () => {
        const { sessionId } = params;
        const found = stored(sessionId, folderNamed(params.cwd));
        const { id, cwd, entries } = found;
        const here = open({ id, cwd }, entries);
        // No prompt begins while the past is shown.
        here.cancel = () => undefined;
        try {
          for (const entry of entries) await showEntry({ client, sessionId, gone }, folder(cwd), entry);
        } finally {
          here.cancel = null;
        }
        announceCommands(client, sessionId);
        return {};
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      answering(session, () => {
        const { id, cwd, entries } = stored(params.sessionId, folderNamed(params.cwd));
        open({ id, cwd }, entries);
        announceCommands(client, id);
        return {};
      }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      answering(session, () => {
        const { cwd, cursor } = params;
        const page = listSessions(session, {
          cwd: cwd === undefined || cwd === null ? undefined : resolve(cwd),
          after: cursor ?? undefined,
        });
        return {
          sessions: page.sessions.map(({ id, title, changedMs, ...each }) => ({
            sessionId: id,
            cwd: each.cwd,
            title,
            updatedAt: new Date(changedMs).toISOString(),
          })),
          nextCursor: page.next,
        };
      }),
    )
    .onRequest(methods.agent.session.close, ({ params }) => {
      const here = opened(params.sessionId);
      here.cancel?.();
      sessions.delete(here.id);
      return {};
    })
    .onRequest(methods.agent.session.prompt, ({ params, client, signal }) =>
      prompt(params, { client, signal }),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel?.());
}

async function showEntry(editor: Editor, session: Session, entry: SessionEntry): Promise<void> {
  switch (entry.kind) {
    case 'prompt':
      return show(editor, [
        { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: entry.text } },
      ]);
    case 'said':
      return show(editor, [message(entry.text)]);
    case 'run':
      try {
        return await showAgain(editor, session, await findRun(session, entry.run));
      } catch (error) {
        const told = error instanceof CollabError ? error : fileFaultOf(error);
        if (told === null) throw error;
        return show(editor, [message(`${printableError(told.message)}\n`)]);
      }
  }
}

/** Answers a refusal in the conversation: the person can do something about it. */
async function refusing(turn: Turn, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const told = error instanceof CollabError ? error : fileFaultOf(error);
    if (turn.gone.aborted) throw error;
    const { aborted, reason } = turn.cancelled;
    if (aborted && (error === reason || told?.code === 'cancelled'))
      return turn.say('Cancelled: no run was started.\n');
    if (told === null) throw error;
    await showRefusal(turn, told);
  }
}

async function answering<Answer>(session: Session, act: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    throw outward(session, error);
  }
}

/** Returns the error as the editor gets it; a fault of ours keeps its details on standard error. */
function outward(session: Session, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const told = error instanceof CollabError ? error : fileFaultOf(error);
  if (told !== null) {
    const text = [told.message, ...(told.hint === null ? [] : [told.hint])].map(printableError).join('. ');
    return RequestError.invalidParams(undefined, text);
  }
  session.err(`acp: ${printableError(error instanceof Error ? error.message : String(error))}\n`);
  return RequestError.internalError();
}

function busy(): RequestError {
  return RequestError.invalidRequest(
    undefined,
    'a prompt of this session is at work: wait for it, or cancel it',
  );
}

function tooMany(): RequestError {
  return RequestError.invalidRequest(
    undefined,
    `${mostTurns} prompts are at work: wait for one, or cancel it`,
  );
}

/** @throws RequestError for what is not the absolute path of a folder */
function folderNamed(cwd: string): string {
  if (!isAbsolute(cwd))
    throw RequestError.invalidParams({ cwd }, `cwd: ${JSON.stringify(cwd)} is not absolute`);
  const path = resolve(cwd);
  let isFolder = false;
  try {
    isFolder = statSync(path).isDirectory();
  } catch {
    throw RequestError.invalidParams({ cwd }, `cwd: there is no folder ${JSON.stringify(cwd)}`);
  }
  if (!isFolder) throw RequestError.invalidParams({ cwd }, `cwd: ${JSON.stringify(cwd)} is not a folder`);
  return path;
}
