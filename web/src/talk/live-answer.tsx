import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { Alert, Banner } from '../design/banner.tsx';
import { Fold } from '../design/fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/language.tsx';
import { MessageFrame } from './message-frame.tsx';
import { talkWords } from './talk-words.ts';

interface LiveAnswerProps {
  readonly streaming: StreamingState;
  readonly pending: string | null;
  readonly isUnsent: boolean;
}

/** Shows the current turn and how it ended. */
export function LiveAnswer({ streaming, pending, isUnsent }: LiveAnswerProps): ReactElement {
  const words = useWords(talkWords);
  const format = useFormat();
  const { isStreaming, currentText, thinkingText, pendingTools, agents, error, status, usage } = streaming;
  const isShown = isStreaming || pending !== null;
  return (
    <section className="live" aria-label={words.live} aria-busy={isStreaming}>
      {isShown && pending !== null && (
        <MessageFrame role="user">
          <p className="plain">{neutralise(pending)}</p>
        </MessageFrame>
      )}
      {isShown && thinkingText !== '' && (
        <Fold id="live thinking" head={words.thinking}>
          <Markdown text={thinkingText} isOpen={isStreaming} />
        </Fold>
      )}
      {isStreaming && pendingTools.size > 0 && (
        <div className="tools-at-work">
          <p>{words.working(pendingTools.size)}</p>
          <ul>
            {[...pendingTools.values()].map(({ tool_use_id: id, tool_name: name, summary }) => (
              <li key={id}>{neutralise(summary || name)}</li>
            ))}
          </ul>
        </div>
      )}
      {isShown && currentText !== '' && (
        <MessageFrame role="assistant">
          <Markdown text={currentText} isOpen={isStreaming} />
        </MessageFrame>
      )}
      {isShown &&
        [...agents].map(([id, { type, description, text }]) => (
          <Fold key={id} id={`agent ${id}`} head={neutralise(`${type} ${description}`)}>
            <Markdown text={text} isOpen={isStreaming} />
          </Fold>
        ))}
      {error !== null && (
        <Alert>
          {isUnsent && <strong>{words.notSent} </strong>}
          {neutralise(error)}
        </Alert>
      )}
      {status === 'cancelled' && <Banner tone="neutral">{words.cancelled}</Banner>}
      {usage !== null && <p className="quiet usage">{words.tokens(format.count(usage.total_tokens))}</p>}
    </section>
  );
}
