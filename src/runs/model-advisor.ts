/** An advisor made of a bare model: the loop and the tools of `model-lead.ts`, over the files under review. */
import type { Agent, ModelProvider, OpenOptions } from '../providers/contract.ts';
import { openModelLead } from './model-lead.ts';

/** The caller closes it. @throws CollabError as `Provider.openModel` */
export async function openModelAdvisor(provider: ModelProvider, options: OpenOptions): Promise<Agent> {
  const { reviewFolder, ...rest } = options;
  const lead = await openModelLead(provider, { ...rest, instructions: aboutAdvisors });
  const remarks = reviewFolder === null ? ['no repository access'] : [];
  return {
    identity: { ...lead.identity, remarks: [...lead.identity.remarks, ...remarks] },
    turn: (call) => lead.turn({ ...call, work: { ...reading, folder: reviewFolder } }),
    harvest: (sessionId, callId) => lead.harvest(sessionId, callId),
    close: () => lead.close(),
  };
}

/** What a turn of an advisor is, in the words of a lead's: it reads and answers. */
const reading = { kind: 'answer_back', phase: 'review', round: 1, access: 'read' } as const;

const aboutAdvisors =
  'You advise another agent. Answer what you are asked, in the form that the request names, and change nothing.';
