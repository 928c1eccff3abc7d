/** Lets the user pick a conversation. */
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import { neutralise } from '../../text/neutralise.ts';
import { onOneLine } from '../../text/one-line.ts';
import { offerChoice, type PromptPlace } from '../driving/prompts.ts';

export interface NamedConversation {
  readonly folder: ConversationFolder;
  readonly title: string;
}

/** Resolves with null if the user picked none: Esc, Ctrl-C. */
export async function pickConversation(
  conversations: readonly NamedConversation[],
  asking: PromptPlace,
): Promise<ConversationFolder | null> {
  const choices = conversations.map(({ folder, title }) => ({
    value: folder.id,
    label: `${folder.id}  ${onOneLine(neutralise(title))}`,
  }));
  const picked = await offerChoice('Continue which conversation?', choices, asking);
  return conversations.find(({ folder }) => folder.id === picked)?.folder ?? null;
}
