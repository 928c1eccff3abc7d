/** Drives a review: the machine on the engine, with the advisor, and the writing of `result.json`. */
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { estimateTokens, planChunks } from '../../review/census/chunks.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { advisorOfRun } from '../agents/advisor-of-run.ts';
import { openAnswerWay } from '../calls/open-replier.ts';
import { budgetOfRun } from '../calls/budget-of-run.ts';
import { driveMachine, endedResult, isNew, once, startedBy } from '../drive-frame.ts';
import type { Departure } from '../../engine/port.ts';
import { announceOpinion } from './opinion-result.ts';
import { createDeadline } from '../calls/deadline.ts';
import { openAgentFolders, type AgentFolders } from '../folder/agent-folders.ts';
import { openRun, reviewInputOf, type OpenedRun } from '../folder/opened-run.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { runReviewMachine, type Drive, type DriveReviewOptions, type ReviewEnding } from './actors.ts';
import { endedEvent, writeEnding, writeUnfinished } from './result.ts';

/**
 * Starts or continues the review of a run folder that holds `input.json`. `result.json` and the report files say "not
 * finished" from the first moment. For a run that has ended, returns its existing result.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder`
 */
export async function driveReview(options: DriveReviewOptions): Promise<Departure<ReviewResult>> {
  const ended = endedResult(options.runFolder, 'collab.review/v1');
  if (ended !== null) return { kind: 'settled', result: ended };
  const { opened = openRun({ runId: options.runId, path: options.runFolder }) } = options;
  const input = reviewInputOf(opened);
  const folders = openAgentFolders({
    ...options,
    input,
    leadReads: input.verify,
    files: input.change.files,
  });
  const drive = await openDrive({ ...options, opened }, input, folders);
  const { advisor, agent, answers } = drive;
  return driveMachine<ReviewEnding, ReviewResult>(options, {
    drive,
    conversationId: options.runId,
    agent,
    start: async () => {
      // A new run records the agent that it opens; a run without a call opens none.
      const opens = isNew(options) && drive.change.counted.files.length > 0;
      return startedBy(opens ? await advisor.identity() : null, input.advisor.provider, input.cwd);
    },
    run: (context, cancelled) => runReviewMachine(context, drive, cancelled),
    endedEvent: (ending) => endedEvent(drive, ending),
    writeUnfinished: (state) => writeUnfinished(drive, state),
    writeEnding: (ending) => writeEnding(drive, ending),
    closeAgents: () => Promise.all([advisor.close(), answers.close(), folders.swept]),
    clear: (isFinal) => (isFinal ? folders.remove() : folders.removeCopy()),
  });
}

async function openDrive(
  options: DriveReviewOptions & { readonly opened: OpenedRun },
  input: ReviewRunInput,
  folders: AgentFolders,
): Promise<Drive> {
  const { state, review } = folders;
  const advisor = advisorOfRun(options, input, { state, review, phase: 'review' });
  // A new run with something to review is certain to call its advisor, which therefore starts while the change is read.
  if (isNew(options) && input.advisor.assurance === 'model') advisor.warmUp();
  const change = await options.opened.change().catch(async (error: unknown) => {
    await advisor.close();
    throw error;
  });
  const budget = budgetOfRun(input);
  const { time_limit_ms, chunk_tokens } = input.settings;
  const timeLimitMs =
    time_limit_ms ?? reviewTimeLimitMs(planChunks(change.counted.files, chunk_tokens).length);
  const deadline = createDeadline(timeLimitMs, options.clock);
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
      stateFolder: state,
      folder: review,
      deadline,
      budget,
    }),
    reviewFolder: review,
    copiedTree: () => folders.copiedTree(),
    met: { advisor: null },
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
        secondOpinion: isAsked ? announceOpinion(input) : null,
        notes: [...input.notes, ...(note === null ? [] : [note])],
        estimatedTokens: change.counted.files.reduce((sum, file) => sum + estimateTokens(file), 0),
        timeLimitMs,
      });
      return identity;
    }),
  };
}
