/** Drives a consult: one exchange over the engine, the advisor beside it, `result.json` around it. */
import { existsSync } from 'node:fs';
import type { EventBody } from '../events/collab-event.ts';
import type { AgentIdentity } from '../providers/contract.ts';
import type { ConsultResult } from '../reports/consult-result.ts';
import { agentName } from '../wire/speakers.ts';
import { createAdvisor, isRefusal, type Refusal } from './advisor-agent.ts';
import { openAnswerWay } from './answer-way.ts';
import { budgetLimitsOf } from './budget-limits.ts';
import { createBudget } from './budget.ts';
import type { DriveFolderOptions } from './drive-folder-options.ts';
import { driveRun } from './embedded-engine.ts';
import type { Departure } from './engine-port.ts';
import { hearEvents } from './heard-events.ts';
import { journalFile } from './journal.ts';
import { readOutcome } from './outside.ts';
import { readResult } from './result-of-run.ts';
import { openAgentFolders, type AgentFolders } from './run-agent-folders.ts';
import { runConsultMachine, type ConsultDrive, type ConsultEnding } from './run-consult-machine.ts';
import { consultEndedEvent, writeConsultEnding, writeUnfinishedConsult } from './run-consult-result.ts';
import { createDeadline } from './run-deadline.ts';
import type { ConsultRunInput } from './run-input.ts';
import { limitsIn } from './run-settings.ts';

/** Who gets what, as the first line of a consult says it. */
export interface ConsultIntroduction {
  readonly kind: 'consult';
  readonly phase: ConsultRunInput['phase'];
  readonly advisor: AgentIdentity | Refusal;
  /** Who answers what the advisor asks back. */
  readonly lead: string | null;
  readonly notes: readonly string[];
  /** Of brief and context, ÷ 4. */
  readonly estimatedTokens: number;
}

export interface DriveConsultOptions extends DriveFolderOptions {
  readonly input: ConsultRunInput;
  /** Called once, before the first call is made. */
  readonly onAdvisor?: (facts: ConsultIntroduction) => void;
}

/** As `driveReview`. @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder` */
export async function driveConsult(options: DriveConsultOptions): Promise<Departure<ConsultResult>> {
  const ended = endedResult(options.runFolder);
  if (ended !== null) return { kind: 'settled', result: ended };
  const { input } = options;
  const folders = openAgentFolders({ ...options, files: input.files });
  const drive = openDrive(options, folders);
  const cancelled = new AbortController();
  let left: Departure<ConsultResult> = { kind: 'interrupted', reason: 'signal' };
  try {
    await driveRun<ConsultEnding>({
      runFolder: options.runFolder,
      envelope: {
        runId: options.runId,
        conversationId: input.conversation,
        tenantId: 'local',
        agent: drive.agent,
      },
      clock: options.clock,
      signal: options.signal,
      start: await startedEvent(drive),
      body: async (context) => {
        if (drive.budget.limited) drive.budget.recall(drive.heard.all());
        writeUnfinishedConsult(drive, 'running');
        return runConsultMachine(context, drive, cancelled.signal);
      },
      settle: (ending) => consultEndedEvent(drive, ending),
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

function openDrive(options: DriveConsultOptions, folders: AgentFolders): ConsultDrive {
  const { input } = options;
  const advisor = createAdvisor(input.advisor, {
    env: options.env,
    cwd: input.cwd,
    settings: input.advisor.settings,
    signal: options.signal,
    runId: options.runId,
    model: input.advisor.model,
    stateFolder: folders.state,
    reviewFolder: folders.review,
    limits: limitsIn(input.settings, input.phase),
  });
  if (isNew(options)) advisor.warmUp();
  const budget = createBudget(budgetLimitsOf(input));
  const deadline = createDeadline(input.settings.time_limit_ms, options.clock);
  return {
    ...options,
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
    heard: hearEvents(options.runFolder),
    met: { advisor: null },
    introduce: once(async () => {
      const [note, identity] = await Promise.all([folders.copyFiles([]), advisor.identity()]);
      options.onAdvisor?.({
        kind: 'consult',
        phase: input.phase,
        advisor: identity,
        lead: input.lead?.provider ?? null,
        notes: [...accessNotes(input, folders), ...(note === null ? [] : [note])],
        estimatedTokens: estimate(input),
      });
      return identity;
    }),
  };
}

function accessNotes({ files }: ConsultRunInput, { review }: AgentFolders): readonly string[] {
  if (files === null) return ['no repository here: the advisor sees the brief alone'];
  return review === null ? [] : ['the advisor may read a copy of the working tree'];
}

function estimate({ brief, earlier }: ConsultRunInput): number {
  const texts = [brief, ...earlier.map(({ text }) => text)];
  return Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 4);
}

/** A new run is told of the agent that it opens; a run without a call opens none. */
async function startedEvent(drive: ConsultDrive): Promise<Extract<EventBody, { type: 'run.started' }>> {
  const identity = isNew(drive) ? await drive.advisor.identity() : null;
  const known = identity === null || isRefusal(identity) ? null : identity;
  return {
    type: 'run.started',
    name: known?.displayName ?? agentName(drive.input.advisor.provider),
    ...(known?.model ? { model: known.model } : {}),
    tools: [],
    cwd: drive.input.cwd,
  };
}

function isNew({ runFolder }: Pick<DriveFolderOptions, 'runFolder'>): boolean {
  return !existsSync(journalFile(runFolder));
}

/** The result of a run that has ended and has written it; null for any other. */
function endedResult(runFolder: string): ConsultResult | null {
  if (!existsSync(journalFile(runFolder)) || readOutcome(runFolder) === null) return null;
  const result = readResult(runFolder);
  return result?.schema === 'collab.consult/v1' && result.state === 'ended' ? result : null;
}

/** Who lost the lock writes nothing: the files belong to the process that took the run over. */
async function leave(
  drive: ConsultDrive,
  folders: AgentFolders,
  departure: Departure<ConsultEnding>,
): Promise<Departure<ConsultResult>> {
  if (departure.kind !== 'settled') {
    const isOurs = departure.kind === 'suspended' || departure.reason === 'signal';
    if (isOurs) writeUnfinishedConsult(drive, departure.kind === 'suspended' ? 'waiting' : 'interrupted');
    return departure;
  }
  const result = writeConsultEnding(drive, departure.result);
  await drive.advisor.close();
  if (departure.result.final) folders.remove();
  return { kind: 'settled', result };
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | null = null;
  return () => (done ??= work());
}
