/** Renders the second opinion as one line of the summary; none if there were no findings to check. */
import { verdicts } from '../../events/collab-event.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { agentName } from '../../events/speakers.ts';

export function renderSecondOpinion({
  second_opinion: opinion,
  findings,
  lead,
}: Pick<ReviewResult, 'second_opinion' | 'findings' | 'lead'>): readonly string[] {
  if (opinion === undefined || opinion.state === 'not_needed') return [];
  if (opinion.state === 'off') {
    const isWanted = findings.some(({ severity }) => severity !== 'minor');
    return isWanted ? [`no second opinion on the findings: ${opinion.detail ?? 'it is off'}`] : [];
  }
  const asked = findings.filter(({ id }) => opinion.asked.includes(id));
  const counts = verdicts.toReversed().flatMap((verdict) => {
    const count = asked.filter((finding) => finding.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  const by = whoChecked(opinion, lead);
  const family = opinion.same_family ? ' (from the same family as the advisor)' : '';
  return [`second opinion by ${by}${family}: ${counts.join(', ')}`];
}

function whoChecked({ by }: NonNullable<ReviewResult['second_opinion']>, lead: ReviewResult['lead']): string {
  if (by === 'advisor') return 'the advisor in fresh threads';
  return lead === null ? 'the lead' : agentName(lead.provider);
}
