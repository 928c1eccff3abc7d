/** Chooses the lead of a review: the person who asks, or the choice of the settings. */
import { CollabError } from '../../errors/collab-error.ts';
import { flattenProviderSettings } from '../agents/advisor-question.ts';
import { chooseOptionalLead, user, type LeadChoice } from '../agents/lead-choice.ts';
import type { ReviewOptions } from '../review/prepare.ts';
import type { ReviewStart } from './start-request.ts';

/** Returns null for none. @throws CollabError `usage` */
export async function chooseReviewLead(
  { ask, lead }: Pick<ReviewStart, 'ask' | 'lead'>,
  { env, providerSettings, settings }: Pick<ReviewOptions, 'env' | 'providerSettings' | 'settings'>,
): Promise<LeadChoice | null> {
  if (ask !== true) {
    const providers = flattenProviderSettings(providerSettings);
    return chooseOptionalLead({ lead: settings.lead, env, settings: providers });
  }
  if (lead === undefined) return { provider: user, model: null, chosenBy: 'asked' };
  throw new CollabError('usage', '--ask and --lead both choose who answers the advisor', {
    hint: 'use one of them',
  });
}
