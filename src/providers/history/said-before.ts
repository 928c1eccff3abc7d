/** Renders a message of a conversation as text, for an agent whose session does not contain it. */
import type { SaidBefore } from '../../prompts/conversation/earlier-messages.ts';
import type { HistoryMessage } from './history.ts';
import { attachedText } from './read-attachment.ts';

export function saidBefore({ role, content, attachments = [] }: HistoryMessage): readonly SaidBefore[] {
  if (role === 'system') return [];
  const text = [...attachments.map(attachedText), content]
    .filter((piece) => piece.trim() !== '')
    .join('\n\n');
  return text === '' ? [] : [{ who: role === 'assistant' ? 'lead' : role, text }];
}
