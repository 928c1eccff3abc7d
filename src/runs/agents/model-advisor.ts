/** An advisor built on a bare model: the loop and tools of `model-lead.ts`, over the files under review. */
import type { Agent, ModelProvider, OpenOptions } from '../../providers/contract/contract.ts';
import { advisorPrompt } from '../../prompts/system-prompts.ts';
import { asAdvisor } from '../../providers/contract/lead-as-advisor.ts';
import { openModelLead } from './model-lead.ts';

/** Opens the advisor, which the caller closes. @throws CollabError as `Provider.openModel` */
export async function openModelAdvisor(provider: ModelProvider, options: OpenOptions): Promise<Agent> {
  const { reviewFolder, ...rest } = options;
  const instructions = advisorPrompt(reviewFolder === null ? 'nothing' : 'tools');
  const lead = await openModelLead(provider, { ...rest, instructions });
  return asAdvisor(lead, reviewFolder);
}
