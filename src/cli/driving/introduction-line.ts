/** The first line of a run: the change, the agents, the login, what leaves the machine, and the estimated size. */
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

export function introductionLine(facts: Introduction): string {
  return neutralise(partsOf(facts).join('; '));
}

function partsOf(facts: Introduction): readonly string[] {
  switch (facts.kind) {
    case 'review':
      return reviewParts(facts);
    case 'consult':
      return consultParts(facts);
    case 'workflow':
      return workflowParts(facts);
  }
}

function reviewParts(facts: ReviewIntroduction): readonly string[] {
  const { advisor, counted, fallback, secondOpinion, notes, estimatedTokens, timeLimitMs } = facts;
  const subject = `reviewing ${counted.brief.subject}`;
  if (advisor === null) return [subject, 'no reviewable lines, so no agent is called'];
  return [
    subject,
    'kind' in advisor ? `the advisor cannot run: ${why(advisor)}` : introduce(advisor),
    ...(fallback === null ? [] : [`no model: ${fallback}`]),
    ...(secondOpinion === null ? [] : [secondOpinion]),
    ...notes,
    `about ${renderCount(estimatedTokens, 'token')} of diff`,
    `time limit ${renderDuration(timeLimitMs)}`,
  ];
}

function consultParts(facts: ConsultIntroduction): readonly string[] {
  const { phase, advisor, lead, notes, estimatedTokens, timeLimitMs } = facts;
  return [
    `asking about the ${phase}`,
    'kind' in advisor ? `the advisor cannot run: ${why(advisor)}` : introduce(advisor),
    ...notes,
    ...(lead === null ? [] : [`its questions: ${answerers[lead] ?? `${lead} answers`}`]),
    `about ${renderCount(estimatedTokens, 'token')} of brief and context`,
    `time limit ${renderDuration(timeLimitMs)}`,
  ];
}

const answerers: Readonly<Partial<Record<string, string>>> = {
  user: 'you answer',
  caller: 'the caller answers',
};

function workflowParts(facts: WorkflowIntroduction): readonly string[] {
  const { lead, advisor, fallback, branch, remark, notes, apply, phases, timeLimitMs } = facts;
  const leads = lead === null ? 'led by the caller' : `led ${agentPart('lead', lead)}`;
  return [
    phases.join(' → '),
    leads,
    `advised ${agentPart('advisor', advisor)}`,
    ...(fallback === null ? [] : [`no model: ${fallback}`]),
    branch === null ? 'no git here: the work is in a copy' : `the work is on the branch ${branch}`,
    ...(remark === null ? [] : [remark]),
    ...notes,
    apply ? 'the result is applied to your own files' : 'your own files do not change',
    `time limit ${renderDuration(timeLimitMs)} of work`,
  ];
}

function agentPart(role: string, agent: AgentIdentity | AgentUnavailable): string {
  return 'kind' in agent ? `by no one: the ${role} cannot run: ${why(agent)}` : introduce(agent);
}

/** Without its full stop, because the line continues. */
function why({ message }: AgentUnavailable): string {
  return message.replace(/\.$/, '');
}

function introduce(advisor: AgentIdentity): string {
  const name = advisor.version === null ? advisor.displayName : `${advisor.displayName} ${advisor.version}`;
  const model = advisor.model === null ? '' : ` (${advisor.model})`;
  const login = advisor.login === null ? '' : `, ${advisor.login}`;
  const leaves =
    advisor.destination === null ? 'nothing leaves this machine' : `sent to ${advisor.destination}`;
  return [`by ${name}${model}${login}`, leaves, ...advisor.remarks].join('; ');
}
