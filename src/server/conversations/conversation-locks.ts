/** Allows one active run per conversation, whichever server drives it (X002-9). */
import { CollabError } from '../../errors/collab-error.ts';
import { takeLock } from '../../engine/lock/lock.ts';
import type { OwnerReply, OwnerRequest } from '../../engine/lock/requests.ts';
import { conversationKey, type ActiveRun } from './active-run.ts';
import type { ConversationPlace } from './conversations.ts';

export interface HeldConversations {
  /** Locks the conversation: no other run can start in it. @throws CollabError `locked` */
  hold(place: ConversationPlace): Promise<ActiveRun>;
  letGo(holder: ActiveRun): Promise<void>;
  /** Returns the run that holds the conversation in this process. */
  holder(place: ConversationPlace): ActiveRun | undefined;
  /** Resolves when this process has nothing left to do for the run. */
  over(place: ConversationPlace, runId: string): Promise<void>;
  all(): readonly ActiveRun[];
}

/** Answers another server's request about a conversation that this one holds. */
export type ConversationHandler = (place: ConversationPlace, request: OwnerRequest) => Promise<OwnerReply>;

export function createHeldConversations(reply: ConversationHandler): HeldConversations {
  const active = new Map<string, ActiveRun>();
  return {
    async hold(place) {
      const key = conversationKey(place);
      const before = active.get(key);
      // Its end is already published; wait for the cleanup.
      if (before?.hasEnded === true) await before.driving;
      if (active.has(key)) throw conversationLocked();
      const holder: ActiveRun = {
        place,
        stop: new AbortController(),
        lock: null,
        run: null,
        driving: null,
        hasEnded: false,
        unwatch: () => undefined,
      };
      active.set(key, holder);
      try {
        holder.lock = await takeLock(place.folder);
        holder.lock.onRequest((request) => reply(place, request));
        return holder;
      } catch (error) {
        active.delete(key);
        throw orConversationLocked(error);
      }
    },
    async letGo(holder) {
      holder.unwatch();
      await holder.lock?.release();
      active.delete(conversationKey(holder.place));
    },
    holder: (place) => active.get(conversationKey(place)),
    async over(place, runId) {
      const holder = active.get(conversationKey(place));
      if (holder?.run?.run_id === runId) await holder.driving;
    },
    all: () => [...active.values()],
  };
}

/** Returns a lock of another run in the words for its conversation, and any other error as it is. */
export function orConversationLocked(error: unknown): unknown {
  return error instanceof CollabError && error.code === 'locked' ? conversationLocked(error) : error;
}

function conversationLocked(cause?: unknown): CollabError {
  return new CollabError(
    'locked',
    'Another run is active in this conversation; send this again when it has ended.',
    { cause },
  );
}
