import { useState, type ReactElement } from 'react';
import type { ExecutorInfo } from '../views/stream/event.ts';
import { useStreaming, type StreamingHook, type UseStreamingOptions } from './use-streaming.ts';

export interface ChatProps {
  readonly tenantId: string;
  readonly conversationId: string;
  readonly executor: ExecutorInfo;
  readonly options?: UseStreamingOptions;
  /** Handles the button for a new conversation; if absent, there is no button. */
  readonly onNewChat?: () => void;
}

/** A conversation with its input (R002-47). Class names mark the parts; the page styles them. */
export function Chat({ tenantId, conversationId, executor, options, onNewChat }: ChatProps): ReactElement {
  const [input, setInput] = useState('');
  const streaming = useStreaming(tenantId, conversationId, options);

  const send = () => {
    if (!canSend(input, streaming)) return;
    setInput('');
    void streaming.execute({ user_input: input, executor });
  };

  return <ChatView {...{ input, streaming, onInput: setInput, onSend: send, onNewChat }} />;
}

/** Returns false while a run streams, when input is disabled, and for empty text. */
export function canSend(
  input: string,
  { isStreaming, isInputDisabled }: Pick<StreamingHook, 'isStreaming' | 'isInputDisabled'>,
): boolean {
  return input.trim() !== '' && !isStreaming && !isInputDisabled;
}

export interface ChatViewProps {
  readonly input: string;
  readonly streaming: StreamingHook;
  readonly onInput: (input: string) => void;
  readonly onSend: () => void;
  readonly onNewChat?: (() => void) | undefined;
}

export function ChatView({ input, streaming, onInput, onSend, onNewChat }: ChatViewProps): ReactElement {
  const { isStreaming, isInputDisabled, currentText, thinkingText, usage, error, pendingTools } = streaming;
  return (
    <div className="chat">
      <Banner streaming={streaming} onNewChat={onNewChat} />
      {isStreaming && pendingTools.size > 0 && (
        <div className="progress">ツール実行中: {pendingTools.size}</div>
      )}
      {thinkingText !== '' && (
        <div className="thinking">
          <strong>思考中:</strong> {thinkingText}
        </div>
      )}
      <div className="messages">{currentText !== '' && <div className="assistant">{currentText}</div>}</div>
      {error !== null && <div className="error">{error}</div>}
      {usage !== null && <div className="usage">Tokens: {usage.total_tokens}</div>}
      <div className="input">
        <input
          value={input}
          onChange={({ target }) => onInput(valueOf(target))}
          disabled={isStreaming || isInputDisabled}
        />
        <button type="button" onClick={onSend} disabled={isStreaming || isInputDisabled}>
          {isStreaming ? 'Sending...' : 'Send'}
        </button>
        {isStreaming && (
          <button type="button" onClick={() => void streaming.cancel()}>
            Cancel
          </button>
        )}
      </div>
    </div>
  );
}

/** Shows how full the context is (R002-31), and a way out when the conversation cannot continue (R002-32, R002-40). */
function Banner({
  streaming,
  onNewChat,
}: Pick<ChatViewProps, 'streaming' | 'onNewChat'>): ReactElement | null {
  const { contextStatus, isInputDisabled } = streaming;
  const level = isInputDisabled ? 'blocked' : (contextStatus?.warningLevel ?? 'normal');
  if (level === 'normal') return null;
  return (
    <div className={`banner ${colours[level]}`} role="status">
      {isInputDisabled ? startNewChat : contextStatus?.message}
      {onNewChat !== undefined && (
        <button type="button" className={isInputDisabled ? 'emphasised' : ''} onClick={onNewChat}>
          {newChat}
        </button>
      )}
    </div>
  );
}

const colours = { warning: 'yellow', critical: 'orange', blocked: 'red' } as const;

const startNewChat = '新しいチャットを開始してください';
const newChat = '新しいチャットを開始';

/** Reads `value` without DOM types, which this build does not have. */
function valueOf(target: object): string {
  return 'value' in target && typeof target.value === 'string' ? target.value : '';
}
