/** Drives a consult: one exchange on the engine, with the advisor, and the writing of `result.json`. */
import { reviewTimeLimitMs } from '../../config/waits.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { ConsultResult } from '../../review/outcome/consult-result.ts';
import { advisorOfRun } from '../agents/advisor-of-run.ts';
import type { AgentUnavailable } from '../agents/unavailable-agent.ts';
import { openAnswerWay } from '../calls/open-replier.ts';
import { budgetOfRun } from '../calls/budget-of-run.ts';
import type { DriveRecordedOptions } from '../drive-options.ts';
import { driveMachine, endedResult, isNew, once, startedBy } from '../drive-frame.ts';
import type { Departure } from '../../engine/port.ts';
import { openAgentFolders, type AgentFolders } from '../folder/agent-folders.ts';
import { runConsultMachine, type ConsultDrive, type ConsultEnding } from './actors.ts';
import { consultEndedEvent, writeConsultEnding, writeUnfinishedConsult } from './result.ts';
import { createDeadline } from '../calls/deadline.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';

/** The participants, as the first line of a consult prints them. */
export interface ConsultIntroduction {
  readonly kind: 'consult';
  readonly phase: ConsultRunInput['phase'];
  readonly advisor: AgentIdentity | AgentUnavailable;
  /** The agent or person that answers reverse requests. */
  readonly lead: string | null;
  readonly notes: readonly string[];
  /** Bytes of brief and context, ÷ 4. */
  readonly estimatedTokens: number;
  /** For the whole run. */
  readonly timeLimitMs: number;
}

export interface DriveConsultOptions extends DriveRecordedOptions {
  readonly input: ConsultRunInput;
  /** Called once, before the first call. */
  readonly onAdvisor?: (facts: ConsultIntroduction) => void;
}

/**
 * Works like `driveReview`. @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`,
 * `state_folder`
 */
export async function driveConsult(options: DriveConsultOptions): Promise<Departure<ConsultResult>> {
  const ended = endedResult(options.runFolder, 'collab.consult/v1');
  if (ended !== null) return { kind: 'settled', result: ended };
  const { input } = options;
  const folders = openAgentFolders({ ...options, files: input.files });
  const drive = openDrive(options, folders);
  const { advisor, agent, answers } = drive;
  return driveMachine<ConsultEnding, ConsultResult>(options, {
    drive,
    conversationId: input.conversation,
    agent,
    start: async () =>
      startedBy(isNew(options) ? await advisor.identity() : null, input.advisor.provider, input.cwd),
    run: (context, cancelled) => runConsultMachine(context, drive, cancelled),
    endedEvent: (ending) => consultEndedEvent(drive, ending),
    writeUnfinished: (state) => writeUnfinishedConsult(drive, state),
    writeEnding: (ending) => writeConsultEnding(drive, ending),
    closeAgents: () => Promise.all([advisor.close(), answers.close(), folders.swept]),
    clear: (isFinal) => (isFinal ? folders.remove() : folders.removeCopy()),
  });
}

function openDrive(options: DriveConsultOptions, folders: AgentFolders): ConsultDrive {
  const { input } = options;
  const { state, review } = folders;
  const advisor = advisorOfRun(options, input, { state, review, phase: input.phase });
  if (isNew(options)) advisor.warmUp();
  const budget = budgetOfRun(input);
  const timeLimitMs = input.settings.time_limit_ms ?? reviewTimeLimitMs(1);
  const deadline = createDeadline(timeLimitMs, options.clock);
  return {
    ...options,
    advisor,
    agent: { id: 'advisor', role: 'advisor', provider: input.advisor.provider },
    deadline,
    budget,
    answers: openAnswerWay({
      ...options,
      input,
      stateFolder: state,
      folder: review,
      deadline,
      budget,
    }),
    met: { advisor: null },
    introduce: once(async () => {
      const [note, identity] = await Promise.all([folders.copyFiles([]), advisor.identity()]);
      options.onAdvisor?.({
        kind: 'consult',
        phase: input.phase,
        advisor: identity,
        lead: input.lead?.provider ?? null,
        notes: [...input.notes, ...accessNotes(input, folders), ...(note === null ? [] : [note])],
        estimatedTokens: estimate(input),
        timeLimitMs,
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
