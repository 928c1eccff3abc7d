/** A consult as a kind of run, and the opening of its advisor and folders. */
import { reviewTimeLimitMs } from '../../config/waits.ts';
import type { ConsultResult } from '../../review/outcome/consult-result.ts';
import { advisorOfRun } from '../agents/advisor-agent.ts';
import { advisedDrive } from '../advised-drive.ts';
import { once } from '../once.ts';
import { isNew, type OpenDriveOptions, type RunKind } from '../run-kind.ts';
import { openAgentFolders, type AgentFolders } from '../folder/agent-folders.ts';
import { runConsultMachine, type ConsultDrive, type ConsultEnding } from './actors.ts';
import {
  cancelledConsult,
  endedConsult,
  failedConsult,
  lastConsultRecord,
  unfinishedConsult,
} from './result.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';

export const consultKind: RunKind<ConsultRunInput, ConsultDrive, ConsultEnding, ConsultResult> = {
  kind: 'consult',
  schema: 'collab.consult/v1',
  acts: (_input, repository) => [[{ does: 'start a consult', what: repository }, 'a consult']],
  open: openConsult,
  drive: runConsultMachine,
  lastRecord: lastConsultRecord,
  ended: endedConsult,
  unfinished: unfinishedConsult,
  cancelled: cancelledConsult,
  failed: failedConsult,
};

function openConsult(options: OpenDriveOptions<ConsultRunInput>): ConsultDrive {
  const { input } = options;
  const folders = openAgentFolders({ ...options, files: input.files });
  const { state, review } = folders;
  const advisor = advisorOfRun(options, input, { state, review, phase: input.phase, copy: folders });
  if (isNew(options)) advisor.warmUp();
  const timeLimitMs = input.settings.time_limit_ms ?? reviewTimeLimitMs(1);
  return {
    ...advisedDrive(options, { folders, advisor, timeLimitMs }),
    conversationId: input.conversation,
    sessionIdentity: () => advisor.identity(),
    introduce: once(async () => {
      const [note, identity] = await Promise.all([folders.copyFiles([]), advisor.identity()]);
      options.onIntroduction?.({
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
