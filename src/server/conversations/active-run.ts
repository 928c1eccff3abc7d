/** A run that holds its conversation: it is being prepared, is running, or waits for an answer. */
import type { RunLock } from '../../engine/lock/lock.ts';
import type { ConversationPlace, ServedRun } from './conversations.ts';

export interface ActiveRun {
  readonly place: ConversationPlace;
  /** Interrupts the run and nothing else. */
  readonly stop: AbortController;
  /** The lock of the conversation; null until it is taken. */
  lock: RunLock | null;
  /** The run; null while it is being prepared. */
  run: ServedRun | null;
  /** Settles when this process stops driving the run; null while the run waits for an answer. */
  driving: Promise<void> | null;
  /** True once the last record is written: a new request then waits for the cleanup instead of being refused. */
  hasEnded: boolean;
  /** Stops watching the token of the run. */
  unwatch: () => void;
}

export function conversationKey({ tenant, id }: Pick<ConversationPlace, 'tenant' | 'id'>): string {
  return `${tenant}/${id}`;
}
