import { useEffect, useState, useSyncExternalStore } from 'react';
import { createConversation, type Conversation } from './conversation.ts';
import type { ConversationStreamOptions } from './stream-conversation.ts';
import type { StreamingState } from './streaming-state.ts';

/** Read once per conversation; later changes have no effect. */
export type UseStreamingOptions = Omit<ConversationStreamOptions, 'tenantId' | 'conversationId'>;

export interface StreamingHook extends StreamingState {
  readonly execute: Conversation['execute'];
  /** Ends the run on the server. */
  readonly cancel: Conversation['cancel'];
  /** Stops reading; the run continues. */
  readonly disconnect: Conversation['disconnect'];
}

/** Returns a conversation's state and the actions on it. An unmounted component stops reading (X002-D6). */
export function useStreaming(
  tenantId: string,
  conversationId: string,
  options: UseStreamingOptions = {},
): StreamingHook {
  const [held, hold] = useState(() => open(tenantId, conversationId, options));
  const isSame = held.tenantId === tenantId && held.conversationId === conversationId;
  const shown = isSame ? held : open(tenantId, conversationId, options);
  if (!isSame) hold(shown);
  const { conversation } = shown;
  useEffect(() => () => conversation.disconnect(), [conversation]);
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState);
  const { execute, cancel, disconnect } = conversation;
  return { ...state, execute, cancel, disconnect };
}

interface Held {
  readonly tenantId: string;
  readonly conversationId: string;
  readonly conversation: Conversation;
}

function open(tenantId: string, conversationId: string, options: UseStreamingOptions): Held {
  return {
    tenantId,
    conversationId,
    conversation: createConversation({ ...options, tenantId, conversationId }),
  };
}
