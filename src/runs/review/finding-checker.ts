/** The agent that checks the findings of a review. */
import type { FindingChecker } from '../../prompts/lead/lead-message.ts';
import { user } from '../agents/lead-choice.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';

/** Returns null if no agent does. A person who answers questions checks nothing. */
export function checkerOf({ lead, verify }: Pick<ReviewRunInput, 'lead' | 'verify'>): FindingChecker | null {
  if (!verify) return null;
  return isCheckingLead(lead) ? 'lead' : 'advisor';
}

export function isCheckingLead(lead: { readonly provider: string } | null): boolean {
  return lead !== null && lead.provider !== user;
}
