/** Claude Code as the lead of one run: one process per turn, one session for all turns that continue it. */
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '../../system/clock.ts';
import type { AgentIdentity, LeadAgent, LeadTurnRequest, TurnResult } from '../contract/contract.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { buildArguments } from './arguments.ts';
import { withCallLine } from './call-line.ts';
import { readHarvest } from './harvest.ts';
import { keepAnswer, readKeptAnswer } from './kept-answer.ts';
import type { ClaudeStateFolders } from './state-folders.ts';
import { serverEnvironment } from './tool-server.ts';
import { readTranscript } from './transcript.ts';
import { runTurn } from './turn.ts';

export interface LeadSetting {
  readonly identity: AgentIdentity;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folders: ClaudeStateFolders;
  /** Folder of Claude Code's session transcripts. */
  readonly projectsFolder: string;
  readonly model: string | null;
  readonly limits: TurnLimits;
  readonly clock?: Clock;
}

export function createClaudeLead(setting: LeadSetting): LeadAgent {
  const { projectsFolder } = setting;
  const closing = new AbortController();
  const running = new Set<Promise<TurnResult>>();

  async function turn(request: LeadTurnRequest): Promise<TurnResult> {
    request.signal.throwIfAborted();
    const { emit } = request;
    const begins = request.sessionId === null;
    const sessionId = request.sessionId ?? randomUUID();
    const known = begins ? null : await readTranscript(projectsFolder, sessionId);
    emit({ type: 'session.bound', provider_session_id: sessionId, resumable: true });
    await request.bind(sessionId);
    request.signal.throwIfAborted();
    return runTurn({
      program: setting.program,
      args: argumentsOf(setting, request, { sessionId, begins }),
      env: request.tools === undefined ? setting.env : { ...setting.env, ...serverEnvironment },
      cwd: request.work.folder ?? setting.folders.empty,
      prompt: withCallLine(request.callId, request.prompt),
      sessionId,
      model: setting.model,
      costBeforeUsd: begins ? 0 : (known?.costUsd ?? null),
      limits: request.limits ?? setting.limits,
      clock: setting.clock ?? systemClock,
      emit,
      ...(request.tools === undefined ? {} : { tools: request.tools }),
      onAnswer: (answer) =>
        keepAnswer(setting.folders.answers, sessionId, { callId: request.callId, ...answer }),
      signal: request.signal,
      closing: closing.signal,
    });
  }

  return {
    identity: setting.identity,
    edits: true,
    async turn(request) {
      const result = turn(request);
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    async harvest(sessionId, callId) {
      const kept = readKeptAnswer(setting.folders.answers, sessionId, callId);
      return kept ?? readHarvest(await readTranscript(projectsFolder, sessionId), callId);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

function argumentsOf(
  { folders, model }: LeadSetting,
  { work, tools }: LeadTurnRequest,
  session: { readonly sessionId: string; readonly begins: boolean },
): readonly string[] {
  return buildArguments({
    ...session,
    instructionsFile: folders.instructionsFile,
    access: work.access,
    hasFolder: work.folder !== null,
    handed: tools !== undefined,
    model,
  });
}
