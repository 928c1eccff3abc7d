/**
 * The protocol's extension for tasks: to a host that follows tasks, a call that starts a run answers at once with a task, and
 * the host asks for its state. A task is a run up to its next question for the agent; all of it is read from the run's folder.
 */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CollabEventOf } from '../events/collab-event.ts';
import { requireMay } from '../access/require.ts';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import type { RunStanding } from '../runs/folder/run-status.ts';
import { formOf, gateOfRun, hasForms, wordsIn } from './ask-person.ts';
import type { CallerRuns } from './caller-runs.ts';
import { clientCapabilities } from './client-capabilities.ts';
import { isForPerson, reportRun } from './run-report.ts';

const extension = 'io.modelcontextprotocol/tasks';
const required = { extensions: { [extension]: {} } };
const pollIntervalMs = 1000;

/** Returns true if the host of this request follows tasks; a host of the 2025 generation never does. */
export function followsTasks(context: ServerContext): boolean {
  return clientCapabilities(context)?.extensions?.[extension] !== undefined;
}

/** Declares the extension, and answers its three requests. */
export function addTasks({ server }: McpServer, runs: CallerRuns): void {
  server.registerCapabilities(required);
  const task = z.object({ taskId: z.string() });
  server.setRequestHandler('tasks/get', { params: task }, async ({ taskId }, context) => {
    requireTasks(context);
    return detailsOf(runs, await findTask(runs, taskId), context);
  });
  server.setRequestHandler('tasks/update', { params: task }, async ({ taskId }, context) => {
    requireTasks(context);
    // The SDK takes the responses out of the parameters of every request.
    const { found } = await findTask(runs, taskId);
    await takeResponses(runs, found, context.mcpReq.inputResponses ?? {});
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: task }, async ({ taskId }, context) => {
    requireTasks(context);
    await refusing(runs, async () => runs.cancel((await findTask(runs, taskId)).found));
    return {};
  });
}

/** Returns the answer of a call that started or continued the run. */
export async function taskOf(found: OpenedRun, runs: CallerRuns): Promise<CallToolResult> {
  const facts = await factsOf(runs, { found, leg: answersOfAgent(await runs.engine.status(found)) });
  return { resultType: 'task', status: 'working', ...facts, content: [] };
}

/** A run, and how many questions its agent had answered when the task began. */
interface Task {
  readonly found: OpenedRun;
  readonly leg: number;
}

/** @throws ProtocolError for an id that no task has */
async function findTask({ engine, home }: CallerRuns, taskId: string): Promise<Task> {
  const [, run = '', leg = ''] = /^(\d{8}-\d{6}-[a-z0-9]+)\.(\d{1,4})$/.exec(taskId) ?? [];
  try {
    const found = await engine.find(home, run);
    if (run !== '' && found.runId === run) return { found, leg: Number(leg) };
  } catch {
    // The next line says so.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId.slice(0, 100)}`);
}

async function factsOf({ engine, clock }: CallerRuns, { found, leg }: Task) {
  const ends = await engine.ends(found);
  const now = new Date(clock.now()).toISOString();
  return {
    taskId: `${found.runId}.${leg}`,
    createdAt: ends?.first.ts ?? now,
    lastUpdatedAt: ends?.last.ts ?? now,
    /** A run is kept until its owner removes it. */
    ttlMs: null,
    pollIntervalMs,
  };
}

async function detailsOf(runs: CallerRuns, task: Task, context: ServerContext) {
  const { found, leg } = task;
  const state = await runs.state(found);
  const standing = await runs.engine.status(found);
  const facts = await factsOf(runs, task);
  const completed = async () => {
    const text = await reportRun(runs, found);
    return { ...facts, status: 'completed', result: { content: [{ type: 'text', text }] } };
  };
  if (answersOfAgent(standing) > leg) return completed();
  switch (state) {
    case 'running':
      return { ...facts, status: 'working' };
    case 'interrupted':
      return { ...facts, status: 'working', statusMessage: runs.byHand.resume(found.runId) };
    case 'ended':
      return standing.ended?.status === 'cancelled' ? { ...facts, status: 'cancelled' } : completed();
    case 'waiting': {
      const asked = openGate(standing);
      if (asked === null || !hasForms(context)) return completed();
      const { key, request } = formOf(gateOfRun(runs, found, asked));
      return { ...facts, status: 'input_required', inputRequests: { [key]: request } };
    }
  }
}

/** An answer to another question, or to none, is ignored; a form that was closed leaves the gate as it is. */
async function takeResponses(
  runs: CallerRuns,
  found: OpenedRun,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  const asked = openGate(await runs.engine.status(found));
  if (asked === null) return;
  const words = wordsIn(gateOfRun(runs, found, asked), responses);
  if (words === null) return;
  await refusing(runs, () => {
    requireMay(runs.host.behind, { does: 'decide at a gate' }, 'a gate');
    return runs.answer(found, words);
  });
}

function openGate({ open: [question] }: RunStanding): CollabEventOf<'question.asked'> | null {
  return question !== undefined && isForPerson(question) ? question : null;
}

function answersOfAgent({ questions }: RunStanding): number {
  return [...questions.values()].filter(({ asked, answered }) => answered !== null && !isForPerson(asked))
    .length;
}

/** @throws MissingRequiredClientCapabilityError */
function requireTasks(context: ServerContext): void {
  if (followsTasks(context)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required });
}

/** @throws ProtocolError with what the caller may see of a refusal */
async function refusing(runs: CallerRuns, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { message, hint } = runs.refusalOf(error);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, hint === null ? message : `${message}\n${hint}`);
  }
}
