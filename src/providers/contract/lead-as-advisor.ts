import type { Agent, LeadAgent } from './contract.ts';

/** What an advisor is told about itself that is otherwise a lead. */
export const aboutAdvisors =
  'You advise another agent. Answer what you are asked, in the form that the request names, and change nothing.';

/** A lead that reads the files under review and answers. */
export function asAdvisor(lead: LeadAgent, reviewFolder: string | null): Agent {
  const remarks = reviewFolder === null ? ['no repository access'] : [];
  return {
    identity: { ...lead.identity, remarks: [...lead.identity.remarks, ...remarks] },
    turn: (call) => lead.turn({ ...call, work: { ...reading, folder: reviewFolder } }),
    harvest: (sessionId, callId) => lead.harvest(sessionId, callId),
    close: () => lead.close(),
  };
}

/** What a turn of an advisor is, in the words of a lead's. */
const reading = { kind: 'answer_back', phase: 'review', round: 1, access: 'read' } as const;
