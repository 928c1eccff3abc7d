import type { Agent, LeadAgent } from './contract.ts';

/** Returns a lead as an advisor that reads the files under review and answers. */
export function asAdvisor(lead: LeadAgent, reviewFolder: string | null): Agent {
  const remarks = reviewFolder === null ? ['no repository access'] : [];
  return {
    identity: { ...lead.identity, remarks: [...lead.identity.remarks, ...remarks] },
    turn: (call) => lead.turn({ ...call, work: { ...reading, folder: reviewFolder } }),
    harvest: (sessionId, callId) => lead.harvest(sessionId, callId),
    close: () => lead.close(),
  };
}

/** An advisor's turn as work of the lead. */
const reading = { kind: 'answer_back', phase: 'review', round: 1, access: 'read' } as const;
