import { useCallback, useState, type ReactElement } from 'react';
import type { ConversationSummary } from '../../../src/client/run-types.ts';
import { useConversationNews } from '../conversation-news.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { add } from '../design/icons.ts';
import { PathText } from '../design/path-text.tsx';
import { linkTo } from '../route.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { firstConversations } from '../server/request-route.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { useFormat } from '../words/format.ts';
import { useTitle } from '../words/use-title.ts';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';

const refreshMs = 10_000;
/** Letters of a file's name that fit into the column. */
const longestName = 28;
/** The server never lists more than that. */
const atMost = 950;

/** Lists all conversations, newest first; refreshed while the page is visible. */
export function ConversationList({ current }: { readonly current: string | null }): ReactElement {
  const words = useWords(shellWords);
  const { client } = useServer();
  const [most, setMost] = useState<number>(firstConversations);
  const { value, failure, reload } = useAsked(
    useCallback(() => client.conversations(most), [client, most]),
    current,
  );
  /** While older ones are fetched, the present ones stay. */
  const [before, setBefore] = useState(value);
  const list = value ?? before;
  useWhileVisible(refreshMs, reload);
  useConversationNews(reload);
  const showOlder = () => {
    setBefore(list);
    setMost(most + firstConversations);
  };
  return (
    <nav className="conversations" aria-label={words.conversations}>
      <div className="in-sight">
        <div className="row">
          <h2>{words.conversations}</h2>
          <ButtonLink icon={add} href={linkTo({ kind: 'new', what: 'conversation' })}>
            {words.newOne}
          </ButtonLink>
        </div>
        {failure !== null && <FailureLine failure={failure} onAgain={reload} />}
        {list?.conversations.length === 0 && <p className="quiet">{words.none}</p>}
        <ul>
          {(list?.conversations ?? []).map((conversation) => (
            <ConversationItem
              key={conversation.conversation_id}
              conversation={conversation}
              isCurrent={conversation.conversation_id === current}
            />
          ))}
        </ul>
        {list?.hasMore === true && most < atMost && <Button onClick={showOlder}>{words.more}</Button>}
      </div>
    </nav>
  );
}

function ConversationItem({
  conversation,
  isCurrent,
}: {
  readonly conversation: ConversationSummary;
  readonly isCurrent: boolean;
}): ReactElement {
  const words = useWords(shellWords);
  const format = useFormat();
  const titleOf = useTitle();
  const { conversation_id: id, updated_at: updatedAt, running_run_id: running } = conversation;
  return (
    <li>
      <a
        href={linkTo({ kind: 'conversation', conversation: id })}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <span className="name">
          <PathText text={titleOf(conversation) || words.untitled} most={longestName} />
        </span>
        <span className="quiet">
          {running !== null && (
            <strong>{conversation.is_waiting === true ? words.waits : words.running}</strong>
          )}
          {format.moment(updatedAt)}
          {!conversation.can_continue && ` · ${words.full}`}
        </span>
      </a>
    </li>
  );
}
