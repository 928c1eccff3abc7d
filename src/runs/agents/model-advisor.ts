/** An advisor made of a bare model: the loop and the tools of `model-lead.ts`, over the files under review. */
import type { Agent, ModelProvider, OpenOptions } from '../../providers/contract/contract.ts';
import { aboutAdvisors, asAdvisor } from '../../providers/contract/lead-as-advisor.ts';
import { openModelLead } from './model-lead.ts';

/** The caller closes it. @throws CollabError as `Provider.openModel` */
export async function openModelAdvisor(provider: ModelProvider, options: OpenOptions): Promise<Agent> {
  const { reviewFolder, ...rest } = options;
  const lead = await openModelLead(provider, { ...rest, instructions: aboutAdvisors });
  return asAdvisor(lead, reviewFolder);
}
