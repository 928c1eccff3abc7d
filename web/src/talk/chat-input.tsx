import { useEffect, useRef, type FormEvent, type KeyboardEvent, type ReactElement } from 'react';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { send as sendIcon, stop } from '../design/icons.ts';
import { useWords } from '../words/language.tsx';
import { bannerId } from './context-banner.tsx';
import { talkWords } from './talk-words.ts';
import type { MessageDraft } from './use-draft.ts';

export interface ChatInputProps {
  readonly streaming: Pick<StreamingState, 'isStreaming'>;
  readonly isBlocked: boolean;
  readonly draft: Pick<MessageDraft, 'text' | 'write'>;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** Sends nothing twice, and nothing empty. */
export function ChatInput({
  streaming: { isStreaming },
  isBlocked,
  draft: { text, write },
  onSend,
  onCancel,
}: ChatInputProps): ReactElement {
  const words = useWords(talkWords);
  const isDisabled = isStreaming || isBlocked;
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The input is blocked; a message there offers the next action.
    if (isBlocked && form.current?.contains(document.activeElement) === true)
      document.getElementById(bannerId)?.focus();
  }, [isBlocked]);
  useEffect(() => {
    // While the input was disabled, the form around it held the focus.
    if (!isDisabled && document.activeElement === form.current) input.current?.focus();
  }, [isDisabled]);
  const send = () => {
    if (text.trim() === '' || isDisabled) return;
    onSend(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const cancel = () => {
    // The button disappears; the form holds the focus until the input takes it.
    form.current?.focus();
    onCancel();
  };
  return (
    <form className="chat-input" ref={form} tabIndex={-1} onSubmit={submit}>
      <Field label={words.input}>
        <textarea
          ref={input}
          rows={3}
          value={text}
          placeholder={words.placeholder}
          disabled={isDisabled}
          aria-describedby={isBlocked ? bannerId : 'chat-keys'}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            if (!isSending(event)) return;
            event.preventDefault();
            send();
          }}
        />
      </Field>
      <div className="row">
        {(isStreaming || !isBlocked) && (
          <p id="chat-keys" className="quiet">
            {isStreaming ? words.sending : words.keys}
          </p>
        )}
        <span className="row">
          {isStreaming && (
            <Button icon={stop} onClick={cancel}>
              {words.cancel}
            </Button>
          )}
          <Button type="submit" kind="primary" icon={sendIcon} disabled={isDisabled || text.trim() === ''}>
            {words.send}
          </Button>
        </span>
      </div>
    </form>
  );
}

/** Enter that ends the choice of a character, as in Japanese, sends nothing. */
function isSending({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing;
}
