/** Drives a review: the machine over the engine, the advisor beside it, `result.json` around it (DESIGN §4, §5, §8). */
import { existsSync } from 'node:fs';
import type { EventBody } from '../events/collab-event.ts';
import { agentName } from '../wire/speakers.ts';
import { estimateTokens } from '../review/chunks.ts';
import type { ReviewResult } from '../review/result.ts';
import { createAdvisor } from './advisor-agent.ts';
import { openAnswerWay } from './answer-way.ts';
import { budgetLimitsOf } from './budget-limits.ts';
import { createBudget } from './budget.ts';
import { driveRun } from './embedded-engine.ts';
import { hearEvents } from './heard-events.ts';
import type { Departure } from './engine-port.ts';
import { journalFile } from './journal.ts';
import { readOutcome } from './outside.ts';
import { readChange } from './run-count.ts';
import { createDeadline } from './run-deadline.ts';
import { openAgentFolders, type AgentFolders } from './run-agent-folders.ts';
import { readReviewInput, type ReviewRunInput } from './run-input.ts';
import {
  runReviewMachine,
  type Drive,
  type DriveReviewOptions,
  type ReviewEnding,
} from './run-review-machine.ts';
import { readResult } from './result-of-run.ts';
import { endedEvent, writeEnding, writeUnfinished } from './run-result.ts';
import { limitsIn } from './run-settings.ts';

/**
 * Starts the review of a run folder that holds `input.json`, or goes on with it. From the first moment on `result.json` and
 * the report files say "not finished". A run that has ended gives the result that it has.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder`
 */
export async function driveReview(options: DriveReviewOptions): Promise<Departure<ReviewResult>> {
  const ended = endedResult(options.runFolder);
  if (ended !== null) return { kind: 'settled', result: ended };
  const input = options.input ?? readReviewInput(options.runFolder);
  const folders = openAgentFolders({ ...options, input, files: input.change.files });
  const drive = await openDrive(options, input, folders);
  const cancelled = new AbortController();
  let left: Departure<ReviewResult> = { kind: 'interrupted', reason: 'signal' };
  try {
    await driveRun<ReviewEnding>({
      runFolder: options.runFolder,
      envelope: {
        runId: options.runId,
        conversationId: options.runId,
        tenantId: 'local',
        agent: drive.agent,
      },
      clock: options.clock,
      signal: options.signal,
      start: await startedEvent(drive),
      body: async (context) => {
        if (drive.budget.limited) drive.budget.recall(drive.heard.all());
        await writeUnfinished(drive, 'running');
        return runReviewMachine(context, drive, cancelled.signal);
      },
      settle: (ending) => endedEvent(drive, ending),
      onCancel: () => cancelled.abort(),
      onDeparture: async (departure) => {
        left = await leave(drive, folders, departure);
      },
      ...(options.answerer === undefined ? {} : { answerer: options.answerer }),
      onEvent: (event) => {
        drive.heard.push(event);
        options.onEvent?.(event);
      },
      ...(options.onCommit === undefined ? {} : { onCommit: options.onCommit }),
    });
    return left;
  } finally {
    drive.deadline.stop();
    await Promise.all([drive.advisor.close(), drive.answers.close()]);
  }
}

async function openDrive(
  options: DriveReviewOptions,
  input: ReviewRunInput,
  folders: AgentFolders,
): Promise<Drive> {
  const advisor = createAdvisor(input.advisor, {
    env: options.env,
    cwd: input.cwd,
    settings: input.advisor.settings,
    signal: options.signal,
    runId: options.runId,
    model: input.advisor.model,
    stateFolder: folders.state,
    reviewFolder: folders.review,
    limits: limitsIn(input.settings, 'review'),
  });
  // A new run with something to review calls its advisor for certain: it starts while the change is read.
  if (isNew(options) && input.advisor.assurance === 'model') advisor.warmUp();
  const change = await readChange(input).catch(async (error: unknown) => {
    await advisor.close();
    throw error;
  });
  const budget = createBudget(budgetLimitsOf(input));
  const deadline = createDeadline(input.settings.time_limit_ms, options.clock);
  return {
    ...options,
    input,
    change,
    advisor,
    agent: { id: 'advisor', role: 'advisor', provider: input.advisor.provider },
    deadline,
    budget,
    answers: openAnswerWay({
      ...options,
      input,
      stateFolder: folders.state,
      folder: folders.review,
      deadline,
      budget,
    }),
    met: { advisor: null },
    heard: hearEvents(options.runFolder),
    introduce: once(async () => {
      const isAsked = change.counted.files.length > 0;
      const [note, identity] = isAsked
        ? await Promise.all([
            folders.copyFiles(change.counted.files.map(({ path }) => path)),
            advisor.identity(),
          ])
        : [null, null];
      options.onAdvisor?.({
        advisor: identity,
        counted: change.counted,
        fallback: input.advisor.fallback,
        notes: note === null ? [] : [note],
        estimatedTokens: change.counted.files.reduce((sum, file) => sum + estimateTokens(file), 0),
      });
      return identity;
    }),
  };
}

/** A new run is told of the agent that it opens; a run without a call opens none. */
async function startedEvent(drive: Drive): Promise<Extract<EventBody, { type: 'run.started' }>> {
  const { input, change, advisor } = drive;
  const identity = isNew(drive) && change.counted.files.length > 0 ? await advisor.identity() : null;
  const known = identity === null || 'kind' in identity ? null : identity;
  return {
    type: 'run.started',
    name: known?.displayName ?? agentName(input.advisor.provider),
    ...(known?.model ? { model: known.model } : {}),
    tools: [],
    cwd: input.cwd,
  };
}

function isNew({ runFolder }: Pick<DriveReviewOptions, 'runFolder'>): boolean {
  return !existsSync(journalFile(runFolder));
}

/** The result of a run that has ended and has written it; null for any other. */
function endedResult(runFolder: string): ReviewResult | null {
  if (!existsSync(journalFile(runFolder)) || readOutcome(runFolder) === null) return null;
  const result = readResult(runFolder);
  return result?.schema === 'collab.review/v1' && result.state === 'ended' ? result : null;
}

/** Who lost the lock writes nothing: the files belong to the process that took the run over. */
async function leave(
  drive: Drive,
  folders: AgentFolders,
  departure: Departure<ReviewEnding>,
): Promise<Departure<ReviewResult>> {
  if (departure.kind !== 'settled') {
    const isOurs = departure.kind === 'suspended' || departure.reason === 'signal';
    if (isOurs) await writeUnfinished(drive, departure.kind === 'suspended' ? 'waiting' : 'interrupted');
    return departure;
  }
  const result = await writeEnding(drive, departure.result);
  await drive.advisor.close();
  if (departure.result.final) folders.remove();
  return { kind: 'settled', result };
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | null = null;
  return () => (done ??= work());
}
