import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { ConversationMessage } from '../../../src/client/run-types.ts';
import { Fold } from '../design/fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { ForeignText } from '../run/foreign-text.tsx';
import { useWords } from '../words/language.tsx';
import { MessageFrame } from './message-frame.tsx';
import { readMessage } from './read-message.ts';
import { talkWords } from './talk-words.ts';

interface MessageListProps {
  readonly messages: readonly ConversationMessage[];
}

export const MessageList = memo(function MessageList({ messages }: MessageListProps): ReactElement {
  const words = useWords(talkWords);
  return (
    <ol className="messages" aria-label={words.messages}>
      {messages.map((message, index) => (
        // A thread only grows at its end.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Message message={message} id={`message ${index}`} />
        </li>
      ))}
    </ol>
  );
});

function Message({
  message,
  id,
}: {
  readonly message: ConversationMessage;
  readonly id: string;
}): ReactElement {
  const words = useWords(talkWords);
  const { role, text, tools, isAborted } = readMessage(message);
  if (role === 'tool') {
    return (
      <Fold id={id} head={words.tool}>
        <ForeignText text={text} label={words.tool} />
      </Fold>
    );
  }
  return (
    <MessageFrame role={role} note={isAborted ? words.aborted : null}>
      {role === 'assistant' ? <Markdown text={text} /> : <p className="plain">{neutralise(text)}</p>}
      {tools.map(({ name, args }, index) => (
        // The tools of a message never change.
        // oxlint-disable-next-line react/no-array-index-key
        <Fold key={index} id={`${id} tool ${index}`} head={`${words.tool}: ${neutralise(name)}`}>
          <ForeignText text={args} label={neutralise(name)} />
        </Fold>
      ))}
    </MessageFrame>
  );
}
