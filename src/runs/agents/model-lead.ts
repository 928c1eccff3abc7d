/** A lead built on a bare model, the loop and the read-only tools. It changes no files; we keep its sessions as files. */
import { randomUUID } from 'node:crypto';
import { runLoop, type LoopEnd } from '../../loop/execution-loop.ts';
import { addPrompt, type History } from '../../loop/history.ts';
import { readOnlyPolicy } from '../../loop/tool-policy.ts';
import { aboutReadingTools } from '../../prompts/system-prompts.ts';
import { systemClock, type Clock } from '../../system/clock.ts';
import type {
  LeadAgent,
  LeadOptions,
  LeadTurnRequest,
  ModelProvider,
  TurnResult,
} from '../../providers/contract/contract.ts';
import type { Model } from '../../providers/contract/model.ts';
import { openModelSessions, type ModelSessions } from './model-lead-sessions.ts';
import { openRepositoryTools } from './model-lead-tools.ts';

/** Opens the lead, which the caller closes. @throws CollabError as `Provider.openModel` */
export async function openModelLead(
  provider: ModelProvider,
  options: LeadOptions,
  clock: Clock = systemClock,
): Promise<LeadAgent> {
  const model = await provider.openModel(options);
  const sessions = openModelSessions(options.stateFolder, provider.name);
  const lead: ModelLead = { model, options, sessions, clock };
  return {
    identity: { ...model.identity, remarks: [...model.identity.remarks, 'reads files and changes none'] },
    edits: false,
    async turn(request) {
      request.signal.throwIfAborted();
      return request.work.access === 'edit' ? cannotEdit(provider.name) : performTurn(lead, request);
    },
    harvest: async (sessionId, callId) => sessions.harvest(sessionId, callId),
    close: () => model.close(),
  };
}

interface ModelLead {
  readonly model: Model;
  readonly options: LeadOptions;
  readonly sessions: ModelSessions;
  readonly clock: Clock;
}

function cannotEdit(name: string): TurnResult {
  return {
    kind: 'unavailable',
    code: 'options',
    message: `${name} changes no files: implementing needs the lead claude_code`,
    hint: 'Choose it: --lead claude_code',
  };
}

async function performTurn(lead: ModelLead, request: LeadTurnRequest): Promise<TurnResult> {
  const { model, options, sessions, clock } = lead;
  const before = request.sessionId === null ? [] : sessions.read(request.sessionId)?.history;
  if (before === undefined) return conversationGone;
  const sessionId = request.sessionId ?? randomUUID();
  await request.bind(sessionId);
  request.signal.throwIfAborted();
  request.emit({ type: 'session.bound', provider_session_id: sessionId, resumable: true });

  const { folder } = request.work;
  const tools = folder === null ? [] : await openRepositoryTools(folder, options.env);
  let history = addPrompt(before, request.prompt);
  const keep = (now: History, end: LoopEnd | null): void => {
    history = now;
    sessions.write(sessionId, { call_id: request.callId, history: [...history], ...standing(end) });
  };
  keep(history, null);
  const end = await runLoop({
    model,
    system: systemText(options.instructions, folder !== null),
    tools,
    policy: readOnlyPolicy,
    limits: request.limits ?? options.limits,
    clock,
    history,
    callId: request.callId,
    signal: request.signal,
    emit: request.emit,
    keep: (now) => keep(now, null),
  });
  keep(isTooLong(end) ? before : history, end);
  return resultOf(end, sessionId);
}

/** The result if the session's folder was removed, the same as for an agent that keeps its own sessions. */
const conversationGone: TurnResult = {
  kind: 'cut',
  message: 'the conversation is gone',
  sessionId: null,
  uncounted: false,
};

function systemText(instructions: string, seesFiles: boolean): string {
  return seesFiles ? `${instructions}\n\n${aboutReadingTools}` : instructions;
}

function standing(end: LoopEnd | null) {
  if (end === null) return { state: 'begun' as const, text: null, usage: null };
  if (end.kind === 'answered') return { state: 'answered' as const, text: end.text, usage: end.usage };
  return { state: isTooLong(end) ? ('dropped' as const) : ('failed' as const), text: null, usage: null };
}

/** Such a call is dropped: in the history, it would make every later turn too long as well. */
function isTooLong(end: LoopEnd): boolean {
  return end.kind === 'timed_out' && end.limit === 'context';
}

function resultOf(end: LoopEnd, sessionId: string): TurnResult {
  switch (end.kind) {
    case 'unavailable':
      return end;
    case 'cut':
      return { ...end, kind: 'cut', sessionId, uncounted: false };
    case 'empty':
      return { ...end, kind: 'empty', sessionId };
    case 'answered':
    case 'timed_out':
    case 'overloaded':
      return { ...end, sessionId };
  }
}
