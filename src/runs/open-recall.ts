/** The answers of earlier runs, for one review. */
import { dirname } from 'node:path';
import { openAnswerCache } from './answer-cache.ts';
import { openCacheSecret } from './cache-secret.ts';
import { createRecall, type AdvisorKey, type Recall } from './recall.ts';
import type { Drive } from './run-review-machine.ts';

/** Null where it was not asked for, where rules alone look, which cost nothing, and where there is no place for the secret. */
export function openRecall(drive: Drive): Recall | null {
  const { input, env, clock, runFolder, runId } = drive;
  if (input.settings.cache !== true || input.advisor.assurance === 'static') return null;
  const secret = openCacheSecret({ env, clock });
  if (secret === null) return null;
  const cache = openAnswerCache({ home: dirname(dirname(runFolder)), secret, clock });
  return createRecall({ cache, runId, advisor: () => advisorKey(drive) });
}

function advisorKey({ input: { advisor, change }, met }: Drive): AdvisorKey | null {
  if (met.advisor === null) return null;
  // Where its program lies says nothing about its answers; nor do the settings of others.
  const own = Object.entries(advisor.settings).filter(
    ([key]) => key.startsWith(`${advisor.provider}.`) && !key.endsWith('.path'),
  );
  return {
    provider: advisor.provider,
    asked: advisor.model,
    model: met.advisor.model,
    edition: met.advisor.edition ?? null,
    settings: Object.fromEntries(own),
    readsFiles: change.files !== null,
  };
}
