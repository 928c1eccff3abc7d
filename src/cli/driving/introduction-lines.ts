/** The first lines of a run: the change, the agents, the login, what leaves the machine, and the estimated size. */
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type {
  ConsultIntroduction,
  Introduction,
  ReviewIntroduction,
  WorkflowIntroduction,
} from '../../runs/introduction.ts';
import type { AgentUnavailable } from '../../runs/agents/unavailable-agent.ts';
import { neutralise } from '../../text/neutralise.ts';
import { renderCount, renderDuration } from '../../text/quantities.ts';

export function introductionLines(facts: Introduction): readonly string[] {
  return partsOf(facts)
    .map((part) => part.filter((text) => text !== null))
    .filter((part) => part.length > 0)
    .map((part, index) => `${index === 0 ? '' : '  '}${neutralise(part.join('; '))}`);
}

/** The parts of one line; a part that is null is left out. */
type Line = readonly (string | null)[];

function partsOf(facts: Introduction): readonly Line[] {
  switch (facts.kind) {
    case 'review':
      return reviewParts(facts);
    case 'consult':
      return consultParts(facts);
    case 'workflow':
      return workflowParts(facts);
  }
}

function reviewParts(facts: ReviewIntroduction): readonly Line[] {
  const { advisor, counted, fallback, secondOpinion, notes, estimatedTokens, timeLimitMs } = facts;
  const subject = `reviewing ${counted.brief.subject}`;
  if (advisor === null) return [[subject], ['no reviewable lines, so no agent is called']];
  return [
    [subject],
    askedAgent(advisor),
    [fallback === null ? null : `no model: ${fallback}`, secondOpinion],
    ...notes.map((note) => [note]),
    [`about ${renderCount(estimatedTokens, 'token')} of diff`, `time limit ${renderDuration(timeLimitMs)}`],
  ];
}

function consultParts(facts: ConsultIntroduction): readonly Line[] {
  const { phase, advisor, lead, notes, estimatedTokens, timeLimitMs } = facts;
  return [
    [`asking about the ${phase}`],
    askedAgent(advisor),
    ...notes.map((note) => [note]),
    [
      lead === null ? null : `its questions: ${answerers[lead] ?? `${lead} answers`}`,
      `about ${renderCount(estimatedTokens, 'token')} of brief and context`,
      `time limit ${renderDuration(timeLimitMs)}`,
    ],
  ];
}

function askedAgent(advisor: AgentIdentity | AgentUnavailable): Line {
  return 'kind' in advisor ? [`the advisor cannot run: ${why(advisor)}`] : introduce(advisor);
}

const answerers: Readonly<Partial<Record<string, string>>> = {
  user: 'you answer',
  caller: 'the caller answers',
};

function workflowParts(facts: WorkflowIntroduction): readonly Line[] {
  const { lead, advisor, fallback, branch, remark, notes, apply, phases, timeLimitMs } = facts;
  const leads = lead === null ? ['led by the caller'] : pairedAgent('lead', 'led', lead);
  const advises = pairedAgent('advisor', 'advised', advisor);
  const ofBoth = leads.filter((text) => advises.includes(text));
  const alone = (line: Line): Line => line.filter((text) => !ofBoth.includes(text ?? ''));
  return [
    [phases.join(' → ')],
    alone(leads),
    alone(advises),
    ofBoth,
    [fallback === null ? null : `no model: ${fallback}`],
    [
      branch === null ? 'no git here: the work is in a copy' : `the work is on the branch ${branch}`,
      remark,
      apply ? 'the result is applied to your own files' : 'your own files do not change',
    ],
    ...notes.map((note) => [note]),
    [`time limit ${renderDuration(timeLimitMs)} of work`],
  ];
}

function pairedAgent(role: string, does: string, agent: AgentIdentity | AgentUnavailable): readonly string[] {
  if ('kind' in agent) return [`${does} by no one: the ${role} cannot run: ${why(agent)}`];
  const [who = '', ...more] = introduce(agent);
  return [`${does} ${who}`, ...more];
}

/** Without its full stop, because the line continues. */
function why({ message }: AgentUnavailable): string {
  return message.replace(/\.$/, '');
}

function introduce(advisor: AgentIdentity): readonly string[] {
  const name = advisor.version === null ? advisor.displayName : `${advisor.displayName} ${advisor.version}`;
  const model = advisor.model === null ? '' : ` (${advisor.model})`;
  const login = advisor.login === null ? '' : `, ${advisor.login}`;
  const leaves =
    advisor.destination === null ? 'nothing leaves this machine' : `sent to ${advisor.destination}`;
  return [`by ${name}${model}${login}`, leaves, ...advisor.remarks];
}
