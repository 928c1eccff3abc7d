/** The answers of earlier runs, for one review. */
import { dirname } from 'node:path';
import { openAnswerCache, type AnswerCache } from './answer-cache.ts';
import { isUnavailable } from '../agents/unavailable-agent.ts';
import { checkerOf } from '../review/finding-checker.ts';
import { replyingLeadPrompt } from '../../prompts/system-prompts.ts';
import { openCacheSecret } from './cache-secret.ts';
import { createRecall, type AdvisorKey, type AgentKey, type Recall } from './review-cache.ts';
import { createVerdictRecall, type LeadKey, type VerdictRecall } from './verdict-cache.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import type { ReviewDrive } from '../review/actors.ts';
import type { MetAgent } from '../run-kind.ts';

/**
 * Returns null if the cache is off, if only rules review, which cost nothing, and if there is no place for the secret.
 */
export function openRecall(drive: ReviewDrive): Recall | null {
  const cache = drive.input.advisor.assurance === 'static' ? null : openCache(drive);
  if (cache === null) return null;
  return createRecall({ cache, runId: drive.runId, advisor: () => advisorKey(drive) });
}

/** Returns null as above, and if the caller checks the findings: it pays for its own answers. */
export function openVerdictRecall(drive: ReviewDrive): VerdictRecall | null {
  const isOurs = checkerOf(drive.input) === 'advisor' || drive.answers.identity !== null;
  const cache = isOurs ? openCache(drive) : null;
  if (cache === null) return null;
  const { runId, clock } = drive;
  return createVerdictRecall({ cache, runId, clock, lead: () => checkerKey(drive) });
}

function openCache({ input, env, clock, runFolder }: ReviewDrive): AnswerCache | null {
  if (!input.settings.cache) return null;
  const secret = openCacheSecret({ env });
  return secret === null ? null : openAnswerCache({ home: dirname(dirname(runFolder)), secret, clock });
}

function advisorKey({ input: { advisor, change }, met }: ReviewDrive): AdvisorKey | null {
  return met.advisor === null
    ? null
    : { ...agentKey(advisor, met.advisor), readsFiles: change.files !== null };
}

async function checkerKey(drive: ReviewDrive): Promise<LeadKey | null> {
  const { input, answers, reviewFolder, copiedTree } = drive;
  const tree = copiedTree();
  // A drive that found an existing copy does not know its contents.
  if (reviewFolder !== null && tree === null) return null;
  if (checkerOf(input) === 'advisor') {
    const advisor = advisorKey(drive);
    return advisor === null ? null : { ...advisor, instructions: '', tree };
  }
  if (input.lead === null || answers.identity === null) return null;
  const identity = await answers.identity();
  if (isUnavailable(identity)) return null;
  return { ...agentKey(input.lead, identity), instructions: replyingLeadPrompt, tree };
}

function agentKey(
  { provider, model, settings }: Pick<ReviewRunInput['advisor'], 'provider' | 'model' | 'settings'>,
  met: Pick<MetAgent, 'model' | 'edition'>,
): AgentKey {
  // The path of its program does not affect its answers; nor do the settings of other providers.
  const own = Object.entries(settings).filter(
    ([key]) => key.startsWith(`${provider}.`) && !key.endsWith('.path'),
  );
  return {
    provider,
    asked: model,
    model: met.model,
    edition: met.edition ?? null,
    settings: Object.fromEntries(own),
  };
}
