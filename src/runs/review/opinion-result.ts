/** The second opinion in a result. */
import type { SecondOpinion } from '../../machine/review/second-opinion.ts';
import { areSameFamily } from '../../review/findings/families.ts';
import { tellFailure, type Reason } from '../../review/outcome/reasons.ts';
import type { SecondOpinionFacts } from '../../review/outcome/result.ts';
import { agentName } from '../../events/speakers.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { checkerOf, isCheckingLead } from './finding-checker.ts';

type OpinionInput = Pick<ReviewRunInput, 'lead' | 'verify' | 'advisor' | 'settings'>;

export function opinionFacts(input: OpinionInput, opinion: SecondOpinion): SecondOpinionFacts {
  const { asked, cached } = opinion;
  const off = whyOff(input);
  const by = checkerOf(input);
  const [missing] = opinionReasons(opinion);
  return {
    state:
      off !== null ? 'off' : missing !== undefined ? 'missing' : asked.length === 0 ? 'not_needed' : 'given',
    detail: off ?? missing?.text ?? null,
    asked: [...asked],
    same_family: off === null && isFromSameFamily(input),
    ...(by === null ? {} : { by }),
    ...(cached.length === 0 ? {} : { cached: [...cached] }),
  };
}

/** Returns the text for the first lines of a run; null if no check was to be expected. */
export function announceOpinion(input: OpinionInput): string | null {
  const off = whyOff(input);
  if (checkerOf(input) === 'advisor') return 'findings checked by the advisor in fresh threads';
  if (off !== null) return input.lead === null ? null : `no second opinion: ${off}`;
  const by = input.lead === null ? 'the lead' : agentName(input.lead.provider);
  const family = isFromSameFamily(input) ? ', from the same family' : '';
  return `second opinion by ${by}${family}`;
}

/** Returns null if an agent checks the findings. */
function whyOff(input: OpinionInput): string | null {
  const { lead, advisor, settings } = input;
  if (checkerOf(input) !== null) return null;
  if (settings.effort === 'quick') return 'the effort is quick';
  if (isCheckingLead(lead) || advisor.assurance === 'model') return '--no-verify';
  return lead === null ? 'no lead takes part' : 'a person answers here, not an agent';
}

function isFromSameFamily({ lead, advisor }: OpinionInput): boolean {
  return lead !== null && isCheckingLead(lead) && areSameFamily(lead.provider, advisor.provider);
}

/** Unchecked findings count as well; the reasons state that they are unchecked. */
export function opinionReasons({ by, asked, missing }: SecondOpinion): readonly Reason[] {
  const ids = missing.flatMap((each) => each.ids);
  if (ids.length === 0) return [];
  const details = new Set(missing.map(({ failure }) => tellFailure(failure)));
  const all = new Set([...asked, ...ids]).size;
  const text = `the ${by} gave no second opinion on ${ids.length} of ${all} findings (${ids.join(', ')}): ${[...details].join('; ')}`;
  return [{ code: 'second_opinion_missing', text }];
}
