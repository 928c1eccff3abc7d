/** The second opinion in a result. */
import type { SecondOpinion } from '../../machine/review/second-opinion.ts';
import { areSameFamily } from '../../review/findings/families.ts';
import { tellFailure, type Reason } from '../../review/outcome/reasons.ts';
import type { SecondOpinionFacts } from '../../review/outcome/result.ts';
import { agentName } from '../../events/speakers.ts';
import { user } from '../agents/lead-choice.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';

type OpinionInput = Pick<ReviewRunInput, 'lead' | 'verify' | 'advisor'>;

export function opinionFacts(input: OpinionInput, opinion: SecondOpinion): SecondOpinionFacts {
  const { asked, cached } = opinion;
  const off = whyOff(input);
  const [missing] = opinionReasons(opinion);
  return {
    state:
      off !== null ? 'off' : missing !== undefined ? 'missing' : asked.length === 0 ? 'not_needed' : 'given',
    detail: off ?? missing?.text ?? null,
    asked: [...asked],
    same_family: off === null && isFromSameFamily(input),
    ...(cached.length === 0 ? {} : { cached: [...cached] }),
  };
}

/** Returns the text for the first line of a run; null if no check was to be expected. */
export function announceOpinion(input: OpinionInput): string | null {
  const off = whyOff(input);
  if (off !== null) return input.lead === null ? null : `no second opinion: ${off}`;
  const by = input.lead === null ? 'the lead' : agentName(input.lead.provider);
  const family = isFromSameFamily(input) ? ', from the same family' : '';
  return `second opinion by ${by}${family}`;
}

/** Returns null if the lead checks the findings. */
function whyOff({ lead, verify }: OpinionInput): string | null {
  if (verify) return null;
  if (lead === null) return 'no lead takes part';
  return lead.provider === user ? 'a person answers here, not an agent' : '--no-verify';
}

function isFromSameFamily({ lead, advisor }: OpinionInput): boolean {
  return lead !== null && areSameFamily(lead.provider, advisor.provider);
}

/** Unchecked findings count as well; the reasons state that they are unchecked. */
export function opinionReasons({ asked, missing }: SecondOpinion): readonly Reason[] {
  const ids = missing.flatMap((each) => each.ids);
  if (ids.length === 0) return [];
  const details = new Set(missing.map(({ failure }) => tellFailure(failure)));
  const text = `the lead gave no second opinion on ${ids.length} of ${asked.length} findings (${ids.join(', ')}): ${[...details].join('; ')}`;
  return [{ code: 'second_opinion_missing', text }];
}
