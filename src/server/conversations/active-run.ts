/** A run that holds its conversation: it is being prepared, goes on, or waits for an answer. */
import type { RunLock } from '../../engine/lock/lock.ts';
import type { ConversationPlace, ServedRun } from './conversations.ts';

export interface ActiveRun {
  readonly place: ConversationPlace;
  /** Interrupts it, and nothing else. */
  readonly stop: AbortController;
  /** Null until the conversation is ours. */
  lock: RunLock | null;
  /** Null while it is prepared. */
  run: ServedRun | null;
  /** Null while nobody drives it here: it waits. */
  driving: Promise<void> | null;
  /** Its last record is written: who comes now waits for the little that is left, and is not refused. */
  hasEnded: boolean;
}

export function conversationKey({ tenant, id }: Pick<ConversationPlace, 'tenant' | 'id'>): string {
  return `${tenant}/${id}`;
}
