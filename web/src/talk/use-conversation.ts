import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createConversation, type Conversation } from '../../../src/client/conversation.ts';
import type { ConversationDetail } from '../../../src/client/run-types.ts';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { byFrame } from '../before-frame.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked, type Asked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { useDraft, type Draft } from './use-draft.ts';

export interface UsedConversation {
  readonly detail: Asked<ConversationDetail>;
  readonly streaming: StreamingState;
  /** What was sent and does not stand among the messages yet. */
  readonly pending: string | null;
  readonly draft: Draft;
  /** What was sent last did not arrive; it is the draft again. */
  readonly isUnsent: boolean;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}

/** A conversation: what was said, and what is being said now, here or in another window. */
export function useConversation(id: string): UsedConversation {
  const { client, tenant } = useServer();
  const detail = useAsked(useCallback(() => client.conversation(id), [client, id]));
  const [conversation] = useState(() => createConversation({ tenantId: tenant, conversationId: id }));
  const [subscribe] = useState(() => byFrame(conversation.subscribe));
  const streaming = useSyncExternalStore(subscribe, conversation.getState);
  const [pending, setPending] = useState<string | null>(null);
  const [isUnsent, setUnsent] = useState(false);
  const draft = useDraft(id);
  const { reload } = detail;
  useEffect(() => () => conversation.disconnect(), [conversation]);
  const join = useCallback(
    (run: string) => {
      setUnsent(false);
      void conversation.join(run).then(reload);
    },
    [conversation, reload],
  );
  useJoined(detail.value, { conversation, join });
  // Another window may have said something.
  useWhileVisible(refreshMs, reload);
  useSettled(detail.value, streaming, () => setPending(null));

  return {
    detail,
    streaming,
    pending,
    draft,
    isUnsent,
    send(text) {
      let isTaken = false;
      const onInit = () => {
        isTaken = true;
        draft.drop();
      };
      const giveBack = () => {
        setPending(null);
        setUnsent(true);
        draft.write(text);
      };
      setPending(text);
      setUnsent(false);
      draft.hand();
      void conversation
        .execute({ user_input: text, executor }, { onInit })
        .then(() => (isTaken ? undefined : giveBack()))
        .then(reload);
    },
    cancel: () => void conversation.cancel().then(reload),
  };
}

const refreshMs = 5000;

/** The page has no accounts; who may do what is the token's matter. */
const executor = { user_id: 'page', name: 'page', email: 'page@localhost' };

/** A turn that runs already, after a reload or from another window, is read along from its beginning. */
function useJoined(
  detail: ConversationDetail | null,
  { conversation, join }: { readonly conversation: Conversation; readonly join: (run: string) => void },
): void {
  const running = detail?.running_run_id ?? null;
  const isTurn = detail?.runs.find(({ run_id: id }) => id === running)?.kind === 'turn';
  useEffect(() => {
    if (running === null || !isTurn || conversation.getState().isStreaming) return;
    join(running);
  }, [conversation, running, isTurn, join]);
}

/** The messages hold what was sent as soon as they came anew after the end of the turn. */
function useSettled(
  detail: ConversationDetail | null,
  { isStreaming }: StreamingState,
  onSettled: () => void,
): void {
  const settle = useEffectEvent(() => {
    if (!isStreaming) onSettled();
  });
  useEffect(() => settle(), [detail]);
}
