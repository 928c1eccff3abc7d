/** The first facts of a run: the change, the agents, the login, what leaves the machine, and the estimated size. */
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type {
  ConsultIntroduction,
  Introduction,
  ReviewIntroduction,
  WorkflowIntroduction,
} from '../../runs/introduction.ts';
import type { AgentUnavailable } from '../../runs/agents/unavailable-agent.ts';
import { renderCount, renderDuration } from '../../text/quantities.ts';

/** One fact. A terminal shows its label and its text; a line of a pipe is a sentence, which may need other words. */
export interface IntroducedFact {
  readonly label: string;
  readonly text: string;
  /** Default: the text. */
  readonly inLine?: string;
}

export interface IntroducedFacts {
  readonly title: string;
  /** Each group is one line of a pipe. */
  readonly groups: readonly (readonly IntroducedFact[])[];
}

export function introductionFacts(facts: Introduction): IntroducedFacts {
  const { title, groups } = factsOf(facts);
  const present = groups.map((group) => group.filter((one) => one !== null));
  return { title, groups: present.filter((group) => group.length > 0) };
}

/** A fact that is null is left out. */
type Group = readonly (IntroducedFact | null)[];

interface AllFacts {
  readonly title: string;
  readonly groups: readonly Group[];
}

function factsOf(facts: Introduction): AllFacts {
  switch (facts.kind) {
    case 'review':
      return reviewFacts(facts);
    case 'consult':
      return consultFacts(facts);
    case 'workflow':
      return workflowFacts(facts);
  }
}

function reviewFacts(facts: ReviewIntroduction): AllFacts {
  const { advisor, counted, fallback, secondOpinion, notes, estimatedTokens, timeLimitMs } = facts;
  const title = `reviewing ${counted.brief.subject}`;
  if (advisor === null) {
    return { title, groups: [[fact('by', 'no reviewable lines, so no agent is called')]] };
  }
  return {
    title,
    groups: [
      askedAgent(advisor),
      [
        fallback === null ? null : fact('by', `no model: ${fallback}`),
        secondOpinion === null ? null : fact('check', secondOpinion),
      ],
      ...notes.map(noteFact),
      [fact('size', `about ${renderCount(estimatedTokens, 'token')} of diff`), limitFact(timeLimitMs)],
    ],
  };
}

function consultFacts(facts: ConsultIntroduction): AllFacts {
  const { phase, advisor, lead, notes, estimatedTokens, timeLimitMs } = facts;
  const size = `about ${renderCount(estimatedTokens, 'token')} of brief and context`;
  return {
    title: `asking about the ${phase}`,
    groups: [
      askedAgent(advisor),
      ...notes.map(noteFact),
      [
        lead === null ? null : fact('check', `its questions: ${answerers[lead] ?? `${lead} answers`}`),
        fact('size', size),
        limitFact(timeLimitMs),
      ],
    ],
  };
}

function askedAgent(advisor: AgentIdentity | AgentUnavailable): Group {
  return 'kind' in advisor
    ? [fact('by', `the advisor cannot run: ${why(advisor)}`)]
    : introduce(advisor, { label: 'by', does: 'by' });
}

const answerers: Readonly<Partial<Record<string, string>>> = {
  user: 'you answer',
  caller: 'the caller answers',
};

function workflowFacts(facts: WorkflowIntroduction): AllFacts {
  const { lead, advisor, fallback, branch, remark, notes, apply, phases, timeLimitMs } = facts;
  const leads =
    lead === null ? [fact('lead', 'the caller', 'led by the caller')] : pairedAgent('lead', 'led', lead);
  const advises = pairedAgent('advisor', 'advised', advisor);
  const saidTwice = (one: IntroducedFact) =>
    leads.some((other) => isSame(other, one)) && advises.some((other) => isSame(other, one));
  const alone = (group: readonly IntroducedFact[]) => group.filter((one) => !saidTwice(one));
  return {
    title: phases.join(' → '),
    groups: [
      alone(leads),
      alone(advises),
      leads.filter(saidTwice),
      [fallback === null ? null : fact('by', `no model: ${fallback}`)],
      [
        fact(
          'work',
          branch === null ? 'no git here: the work is in a copy' : `the work is on the branch ${branch}`,
        ),
        remark === null ? null : fact('work', remark),
        fact('work', apply ? 'the result is applied to your own files' : 'your own files do not change'),
      ],
      ...notes.map(noteFact),
      [limitFact(timeLimitMs, ' of work')],
    ],
  };
}

function isSame(one: IntroducedFact, other: IntroducedFact): boolean {
  return one.label === other.label && one.text === other.text;
}

function pairedAgent(
  label: string,
  does: string,
  agent: AgentIdentity | AgentUnavailable,
): readonly IntroducedFact[] {
  if (!('kind' in agent)) return introduce(agent, { label, does: `${does} by` });
  const none = `the ${label} cannot run: ${why(agent)}`;
  return [fact(label, `no one: ${none}`, `${does} by no one: ${none}`)];
}

/** Without its full stop, because the line continues. */
function why({ message }: AgentUnavailable): string {
  return message.replace(/\.$/, '');
}

function introduce(
  { displayName, version, model, login, destination, remarks }: AgentIdentity,
  { label, does }: { readonly label: string; readonly does: string },
): readonly IntroducedFact[] {
  const name = version === null ? displayName : `${displayName} ${version}`;
  const who = `${name}${model === null ? '' : ` (${model})`}${login === null ? '' : `, ${login}`}`;
  return [
    fact(label, who, `${does} ${who}`),
    destination === null
      ? fact('sends', 'nothing leaves this machine')
      : fact('sends', `to ${destination}`, `sent to ${destination}`),
    ...remarks.map((remark) => fact('note', remark)),
  ];
}

function noteFact(note: string): Group {
  return [fact('note', note)];
}

function limitFact(timeLimitMs: number, more = ''): IntroducedFact {
  const limit = `${renderDuration(timeLimitMs)}${more}`;
  return fact('limit', limit, `time limit ${limit}`);
}

function fact(label: string, text: string, inLine = text): IntroducedFact {
  return { label, text, inLine };
}
