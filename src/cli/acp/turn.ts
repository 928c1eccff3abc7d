/** Carries out one prompt of a person at an editor. */
import { may } from '../../access/permissions.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { readGateAnswer } from '../../parsers/answers/gate-answer.ts';
import { gateOf } from '../../runs/calls/gate-question.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { recordAnswer } from '../commands/answer-command.ts';
import { cancelFoundRun } from '../commands/cancel-command.ts';
import { host, startForHost } from '../driving/start-apart.ts';
import { engineOf } from '../engine/engine-of.ts';
import { findRun } from '../flags/run-arguments.ts';
import { attend, goOnWith, type Attendance } from './attend.ts';
import { questionToAdvisor, helpText, type PromptAct } from './commands.ts';
import { askPermission, startOptions } from './gate.ts';

export interface Turn extends Attendance {
  /** The runs that the session started, the last one last. */
  readonly runs: () => readonly string[];
  readonly onStarted: (found: OpenedRun) => void;
  /** Shows a text that belongs to no run, and remembers it. */
  readonly say: (text: string) => Promise<void>;
}

/** @throws CollabError if the request is refused */
export async function carryOutPrompt(turn: Turn, asked: PromptAct): Promise<void> {
  switch (asked.kind) {
    case 'help':
      return turn.say(helpText);
    case 'start':
      return start(turn, asked.request);
    case 'words':
      return take(turn, asked.text);
    case 'continue':
      return goOn(turn, await runOf(turn, asked.run));
    case 'cancel':
      return end(turn, await runOf(turn, asked.run));
  }
}

async function start(turn: Turn, request: StartRequest): Promise<void> {
  if (asksFirst(request) && !(await isWanted(turn, request))) {
    return turn.say('Nothing was started: it was not allowed.\n');
  }
  const { session, cancelled, gone } = turn;
  const found = await startForHost({ ...session, signal: AbortSignal.any([cancelled, gone]) }, request);
  turn.onStarted(found);
  await turn.drive(session, found);
  await attend(turn, found);
}

/** A lead edits and runs commands in its copy: the table of permissions says that a host asks before. */
function asksFirst({ kind }: StartRequest): boolean {
  if (kind === 'review' || kind === 'consult') return false;
  const answer = may(host, { does: 'start a run of phases' });
  return !answer.allowed || answer.asks;
}

async function isWanted(turn: Turn, request: StartRequest): Promise<boolean> {
  const { sessionId, cancelled, gone } = turn;
  const what = request.kind === 'run' ? `Task: ${request.task ?? ''}` : 'The findings that you named.';
  const chosen = await askPermission(
    { ...turn, signal: AbortSignal.any([cancelled, gone]) },
    {
      toolCallId: `${sessionId}/start/${turn.runs().length}`,
      title: request.kind === 'run' ? 'Let a lead work on the task?' : 'Let a lead fix the findings?',
      text: `${what}\n\nThe lead edits files and runs commands in a copy of the repository. Your own files do not change before you allow it at the end.`,
      kind: 'execute',
      options: startOptions,
    },
  );
  return chosen === 'start';
}

/** Words answer the open question of the session's last run; without one, they are a question to the advisor. */
async function take(turn: Turn, text: string): Promise<void> {
  const { session } = turn;
  const last = await lastRun(turn);
  const engine = await engineOf(session);
  const standing = last === null ? null : await engine.status(last);
  const waiting = standing?.state === 'waiting' ? last : null;
  const [question] = standing?.open ?? [];
  if (waiting === null || question === undefined) {
    return start(
      turn,
      questionToAdvisor(text, { run: last?.input.kind === 'consult' ? last.runId : undefined }),
    );
  }
  const gate = gateOf(question);
  // A gate is opened by a choice in the editor's own dialog, never by words.
  if (gate === 'apply' || (gate !== null && isDecision(text)))
    return attend(turn, waiting, { skipsPast: true });
  await recordAnswer(session, waiting, gate === null ? text : `revise: ${text}`, question.name);
  await goOnWith(turn, waiting);
  await attend(turn, waiting, { skipsPast: true });
}

function isDecision(text: string): boolean {
  const kind = readGateAnswer(text)?.kind;
  return kind === 'approve' || kind === 'stop';
}

async function goOn(turn: Turn, found: OpenedRun): Promise<void> {
  const { state } = await (await engineOf(turn.session)).status(found);
  if (state === 'interrupted') await turn.drive(turn.session, found);
  await attend(turn, found, { skipsPast: true });
}

async function end(turn: Turn, found: OpenedRun): Promise<void> {
  const ended = await cancelFoundRun({ ...turn.session, signal: turn.gone }, found);
  if (!ended) return turn.say(`\`${found.runId}\` has already ended.\n`);
  await attend(turn, found, { skipsPast: true });
}

async function runOf(turn: Turn, wanted: string | undefined): Promise<OpenedRun> {
  if (wanted !== undefined) return findRun(turn.session, wanted);
  const last = await lastRun(turn);
  if (last !== null) return last;
  throw new CollabError('usage', 'this session has started no run', {
    hint: 'Name a run, or start one with /review.',
  });
}

/** Returns null if the session has none, or it was removed. */
async function lastRun(turn: Turn): Promise<OpenedRun | null> {
  const runId = turn.runs().at(-1);
  if (runId === undefined) return null;
  try {
    return await findRun(turn.session, runId);
  } catch (error) {
    if (error instanceof CollabError && error.code === 'run_not_found') return null;
    throw error;
  }
}

export async function showRefusal(turn: Turn, { message: text, hint }: CollabError): Promise<void> {
  await turn.say([text, ...(hint === null ? [] : [hint])].join('\n\n'));
}
