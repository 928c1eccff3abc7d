import { useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { createConversation, type Conversation } from '../../../src/client/conversation.ts';
import type { ConversationDetail, ConversationMessage } from '../../../src/client/run-types.ts';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { byFrame } from '../before-frame.ts';
import { tellConversationNews } from '../conversation-news.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked, type Asked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { useDraft, type MessageDraft } from './use-draft.ts';

export interface UsedConversation {
  readonly detail: Asked<ConversationDetail>;
  /** The messages before the current turn: its own arrive with its stream. */
  readonly messages: readonly ConversationMessage[];
  readonly streaming: StreamingState;
  /** The sent message, until it is among the messages. */
  readonly pending: string | null;
  readonly draft: MessageDraft;
  /** The last message did not arrive; it is the draft again. */
  readonly isUnsent: boolean;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}

/** Returns a conversation: its messages, and its current turn, started here or in another window. */
export function useConversation(id: string): UsedConversation {
  const { client, tenant } = useServer();
  const detail = useAsked(useCallback(() => client.conversation(id), [client, id]));
  const [conversation] = useState(() => createConversation({ tenantId: tenant, conversationId: id }));
  const [subscribe] = useState(() => byFrame(conversation.subscribe));
  const streaming = useSyncExternalStore(subscribe, conversation.getState);
  const [pending, setPending] = useState<string | null>(null);
  const [isUnsent, setUnsent] = useState(false);
  const draft = useDraft(id);
  const [before, setBefore] = useState(0);
  const messages = detail.value?.messages ?? nothing;
  const { reload } = detail;
  useEffect(() => () => conversation.disconnect(), [conversation]);
  useJoined(detail.value, conversation, (run) => {
    setPending(null);
    setUnsent(false);
    setBefore(messages.findLastIndex(({ role }) => role === 'user') + 1);
    void conversation.join(run).then(reload);
  });
  // Another window may have sent a message.
  useWhileVisible(refreshMs, reload);
  useSettled(detail.value, conversation, () => setPending(null));
  const isAnswering = streaming.isStreaming || pending !== null;

  return {
    detail,
    messages: useMemo(
      () => (isAnswering ? messages.slice(0, before) : messages),
      [isAnswering, messages, before],
    ),
    streaming,
    pending,
    draft,
    isUnsent,
    send(text) {
      let isTaken = false;
      const onInit = () => {
        isTaken = true;
        draft.drop();
        tellConversationNews();
      };
      const giveBack = () => {
        setPending(null);
        setUnsent(true);
        draft.write(text);
      };
      setPending(text);
      setBefore(messages.length);
      setUnsent(false);
      draft.hand();
      void conversation
        .execute({ user_input: text, executor }, { onInit })
        .then(() => (isTaken ? tellConversationNews() : giveBack()))
        .then(reload);
    },
    cancel: () => void conversation.cancel().then(reload),
  };
}

const refreshMs = 5000;
const nothing: readonly ConversationMessage[] = [];

/** The page has no accounts; the token decides the permissions. */
const executor = { user_id: 'page', name: 'page', email: 'page@localhost' };

/** Reads a turn that is already running, after a reload or from another window, from its beginning. */
function useJoined(
  detail: ConversationDetail | null,
  { getState }: Conversation,
  join: (run: string) => void,
): void {
  const running = detail?.running_run_id ?? null;
  const isTurn = detail?.runs.find(({ run_id: id }) => id === running)?.kind === 'turn';
  const begin = useEffectEvent(() => {
    if (running !== null && isTurn && !getState().isStreaming) join(running);
  });
  useEffect(() => begin(), [running, isTurn]);
}

/** The messages contain the sent one once they are reloaded after the end of the turn. */
function useSettled(
  detail: ConversationDetail | null,
  { getState }: Conversation,
  onSettled: () => void,
): void {
  const settle = useEffectEvent(() => {
    if (!getState().isStreaming) onSettled();
  });
  useEffect(() => settle(), [detail]);
}
