/** Lets the user pick a conversation. */
import { select } from '@clack/prompts';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import { cutToWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import { onOneLine } from '../../text/one-line.ts';

export interface NamedConversation {
  readonly folder: ConversationFolder;
  readonly title: string;
}

/** The prompt draws its own marks before each line. */
const margin = 8;

/** Resolves with null if the user picked none: Esc, Ctrl-C. */
export async function pickConversation(
  conversations: readonly NamedConversation[],
  { signal, columns }: { readonly signal: AbortSignal; readonly columns: number },
): Promise<ConversationFolder | null> {
  const picked = await select({
    output: process.stderr,
    signal,
    message: 'Continue which conversation?',
    maxItems: 10,
    options: conversations.map(({ folder, title }) => ({
      value: folder.id,
      label: cutToWidth(`${folder.id}  ${onOneLine(neutralise(title))}`, columns - margin),
    })),
  });
  return conversations.find(({ folder }) => folder.id === picked)?.folder ?? null;
}
