'use client';

import { useState, type FormEvent } from 'react';
import type { StreamRequest } from 'codex-collab/client';
import { useStreaming } from 'codex-collab/react';

const executor: StreamRequest['executor'] = {
  user_id: 'user-001',
  name: 'User',
  email: 'user@example.com',
};

/** `codex-collab/react` has a ready `Chat` too; this page shows what the hook returns. */
export function Conversation({ conversationId }: { readonly conversationId: string }) {
  const [input, setInput] = useState('/review');
  const [title, setTitle] = useState('A conversation');
  const { execute, cancel, disconnect, ...state } = useStreaming('local', conversationId);

  const send = (event: FormEvent) => {
    event.preventDefault();
    setInput('');
    void execute({ user_input: input, executor }, { onTitle: setTitle });
  };

  return (
    <main>
      <h1>{title}</h1>
      <p aria-live="polite" style={{ whiteSpace: 'pre-wrap' }}>{state.currentText}</p>
      {state.thinkingText !== '' && <details>{state.thinkingText}</details>}
      <ul>
        {[...state.pendingTools.values()].map((call) => (
          <li key={call.tool_use_id}>{call.summary}</li>
        ))}
      </ul>
      {[...state.agents].map(([id, agent]) => (
        <section key={id} aria-label={agent.type}>
          <h2>
            {agent.type}: {agent.description} ({agent.status})
          </h2>
          <p style={{ whiteSpace: 'pre-wrap' }}>{agent.text}</p>
        </section>
      ))}
      {state.error !== null && <p role="alert">{state.error}</p>}
      {state.status !== null && (
        <p role="status">
          {state.status}, {state.usage?.total_tokens ?? 0} tokens
        </p>
      )}
      {state.contextStatus?.message && <p role="status">{state.contextStatus.message}</p>}

      <form onSubmit={send}>
        <input
          aria-label="Message"
          value={input}
          onChange={({ target }) => setInput(target.value)}
          disabled={state.isStreaming || state.isInputDisabled}
        />
        <button disabled={state.isStreaming || state.isInputDisabled || input.trim() === ''}>Send</button>
      </form>
      {state.isStreaming && (
        <>
          {/* The run ends on the server. */}
          <button onClick={() => void cancel()}>Cancel</button>
          {/* Stops reading; the run continues. */}
          <button onClick={disconnect}>Stop reading</button>
        </>
      )}
    </main>
  );
}
