/** Chooses the lead of a conversation from its flags, its configuration and its history. */
import { join } from 'node:path';
import type { Settings } from '../../config/settings-table.ts';
import { packageFolder } from '../../system/package-folder.ts';
import type { ProviderEnvironment } from '../../providers/contract/contract.ts';
import type { ConversationHistory } from '../../providers/history/history.ts';
import { parseProviderChoice } from '../../providers/contract/registry.ts';
import type { LeadName } from '../../runs/conversation/answerer.ts';
import { chooseConversationLead } from '../../runs/conversation/choose-lead.ts';
import type { ChatFlags } from '../commands/chat-command.ts';

export interface LeadFacts {
  readonly flags: Pick<ChatFlags, 'lead'>;
  readonly config: Settings;
  readonly past: ConversationHistory | null;
  readonly environment: ProviderEnvironment;
}

/**
 * Returns the lead's name; a conversation keeps its earlier lead.
 * @throws CollabError as `chooseConversationLead`
 */
export async function leadOfChat({ flags, config, past, environment }: LeadFacts): Promise<LeadName> {
  if (flags.lead === undefined && past !== null) {
    return { provider: past.platform, model: past.model === '' ? null : past.model };
  }
  const asked = flags.lead ?? config.lead;
  const configured = config.lead === 'auto' ? null : config.lead;
  const { provider, model } = await chooseConversationLead({ lead: asked, configured, environment });
  const named = model ?? (asked === 'auto' ? null : parseProviderChoice(asked).model);
  return { provider, model: provider === 'rehearsal' ? (named ?? shippedScript()) : named };
}

function shippedScript(): string {
  return join(packageFolder(), 'examples/chat.yaml');
}
