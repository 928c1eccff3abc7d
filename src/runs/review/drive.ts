/** A review as a kind of run, and the opening of its advisor and folders. */
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { exchangesPerChunk } from '../../machine/review/passes.ts';
import { estimateTokens, planChunks } from '../../review/census/chunks.ts';
import { advisorOfRun } from '../agents/advisor-agent.ts';
import { advisedDrive } from '../advised-drive.ts';
import { checkCacheKey } from '../cache/cache-secret.ts';
import { once } from '../once.ts';
import { actsOfReports, isNew, type OpenDriveOptions, type RunKind } from '../run-kind.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { checkerOf } from './finding-checker.ts';
import { announceOpinion } from './opinion-result.ts';
import { openAgentFolders } from '../folder/agent-folders.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { runReviewMachine, type ReviewDrive, type ReviewEnding } from './actors.ts';
import { cancelledReview, endedReview, failedReview, lastReviewRecord, unfinishedReview } from './result.ts';

export const reviewKind: RunKind<ReviewRunInput, ReviewDrive, ReviewEnding, ReviewResult> = {
  kind: 'review',
  schema: 'collab.review/v1',
  acts: ({ reports }) => [[{ does: 'start a review' }, 'a review'], ...actsOfReports(reports)],
  open: openReview,
  drive: runReviewMachine,
  lastRecord: lastReviewRecord,
  ended: endedReview,
  unfinished: unfinishedReview,
  cancelled: cancelledReview,
  failed: failedReview,
};

async function openReview(options: OpenDriveOptions<ReviewRunInput>): Promise<ReviewDrive> {
  const { input, env } = options;
  // A resumed run has the environment of its own process, not the one that started it.
  if (input.settings.cache) checkCacheKey(env);
  const folders = openAgentFolders({
    ...options,
    leadReads: checkerOf(input) === 'lead',
    files: input.change.files,
  });
  const { state, review } = folders;
  const advisor = advisorOfRun(options, input, { state, review, phase: 'review', copy: folders });
  // A new run with something to review is certain to call its advisor, which therefore starts while the change is read.
  if (isNew(options) && input.advisor.assurance === 'model') advisor.warmUp();
  const change = await options.opened.change().catch(async (error: unknown) => {
    await advisor.close();
    throw error;
  });
  const { time_limit_ms, chunk_tokens, effort } = input.settings;
  const timeLimitMs =
    time_limit_ms ??
    reviewTimeLimitMs(planChunks(change.counted.files, chunk_tokens).length * exchangesPerChunk(effort).most);
  const isAsked = change.counted.files.length > 0;
  return {
    ...advisedDrive(options, { folders, advisor, timeLimitMs }),
    change,
    conversationId: options.runId,
    // A run without a call opens no agent.
    sessionIdentity: async () => (isAsked ? advisor.identity() : null),
    reviewFolder: review,
    copiedTree: () => folders.copiedTree(),
    copyIsWhole: () => folders.whole(),
    introduce: once(async () => {
      const [note, identity] = isAsked
        ? await Promise.all([
            folders.copyFiles(change.counted.files.map(({ path }) => path)),
            advisor.identity(),
          ])
        : [null, null];
      options.onIntroduction?.({
        kind: 'review',
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
