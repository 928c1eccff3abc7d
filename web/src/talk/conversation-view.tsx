import type { ReactElement } from 'react';
import { PathText } from '../design/path-text.tsx';
import { Empty, Loading } from '../design/placeholder.tsx';
import { FoldScope } from '../design/fold.tsx';
import { FailureLine } from '../server/failure-line.tsx';
import { shellWords } from '../words/shell-words.ts';
import { useTitle } from '../words/use-title.ts';
import { useWords } from '../words/language.tsx';
import { MissingPlace } from '../server/missing-place.tsx';
import { isNewHere } from '../start/conversation-id.ts';
import { ChatInput } from './chat-input.tsx';
import { ContextBanner, contextOf } from './context-banner.tsx';
import { LiveAnswer } from './live-answer.tsx';
import { MessageList } from './message-list.tsx';
import { RunList } from './run-list.tsx';
import { RunningNotice } from './running-notice.tsx';
import { talkWords } from './talk-words.ts';
import { useConversation } from './use-conversation.ts';

/** Shows the messages of a conversation, the current turn, and the input. */
export function ConversationView({ conversation }: { readonly conversation: string }): ReactElement {
  const words = useWords(talkWords);
  const { loading } = useWords(shellWords);
  const titleOf = useTitle();
  const { detail, messages, streaming, pending, draft, isUnsent, send, cancel } =
    useConversation(conversation);
  const { value, failure } = detail;
  // It has no messages yet: it starts with the first one.
  const isNew = failure?.status === 404;
  const isUnknown = isNew && pending === null && !isNewHere(conversation);
  const isBlocked = streaming.isInputDisabled || value?.can_continue === false;
  return (
    <FoldScope value={conversation}>
      <article className="talk" aria-label={words.conversation}>
        <header className="run-head">
          <h1>
            <PathText
              text={isUnknown ? words.missing : (value !== null && titleOf(value)) || words.newConversation}
            />
          </h1>
        </header>
        {isUnknown && (
          <MissingPlace
            name={conversation}
            why={words.missingWhy}
            next={{ kind: 'new', what: 'conversation' }}
            nextWords={words.newConversation}
          />
        )}
        {failure !== null && !isNew && <FailureLine failure={failure} onAgain={detail.reload} />}
        {value === null && failure === null && <Loading>{loading}</Loading>}
        {isNew && pending === null && <Empty>{words.notYet}</Empty>}
        {value !== null && <RunList conversation={conversation} runs={value.runs} />}
        {value !== null && <RunningNotice detail={value} />}
        {value !== null && <MessageList messages={messages} />}
        <LiveAnswer streaming={streaming} pending={pending} isUnsent={isUnsent} />
        <ContextBanner context={contextOf(value, streaming)} isBlocked={isBlocked} />
        <ChatInput {...{ streaming, isBlocked, draft }} onSend={send} onCancel={cancel} />
      </article>
    </FoldScope>
  );
}
