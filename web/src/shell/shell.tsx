import { useLayoutEffect, useRef, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Loading } from '../design/placeholder.tsx';
import { LateConversation, LateRun } from '../late-parts.ts';
import { NewView } from '../start/new-view.tsx';
import { placeOf, type Route } from '../route.ts';
import { useRoute } from '../use-route.ts';
import { useWords } from '../words/language.tsx';
import { AwayNotice } from './away-notice.tsx';
import { ConversationList } from './conversation-list.tsx';
import { Guarded } from './guarded.tsx';
import { shellWords } from '../words/shell-words.ts';
import { TopBar } from './top-bar.tsx';

/** The page of a reader known to the server. On a narrow screen the list is the start page. */
export function Shell(): ReactElement {
  const route = useRoute();
  const words = useWords(shellWords);
  const place = placeOf(route);
  const shown = useRef(place);
  // Shows each place from its top, wherever the reader was in the previous one. The first one is at its top.
  useLayoutEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scrollTo({ top: 0 });
  }, [place]);
  return (
    <div className={`shell at-${route.kind}`}>
      <Button className="skip" onClick={() => document.getElementById('content')?.focus()}>
        {words.skip}
      </Button>
      <TopBar />
      <ConversationList
        current={route.kind === 'run' || route.kind === 'conversation' ? route.conversation : null}
      />
      <main id="content" tabIndex={-1}>
        <AwayNotice />
        <Guarded address={JSON.stringify(route)}>
          <Content route={route} />
        </Guarded>
      </main>
    </div>
  );
}

function Content({ route }: { readonly route: Route }): ReactElement {
  const words = useWords(shellWords);
  const fallback = <Loading>{words.loading}</Loading>;
  switch (route.kind) {
    case 'home':
      return <NewView what="conversation" />;
    case 'new':
      return <NewView what={route.what} />;
    case 'conversation':
      return (
        <LateConversation key={route.conversation} fallback={fallback} conversation={route.conversation} />
      );
    case 'run':
      return <LateRun key={`${route.conversation} ${route.run}`} fallback={fallback} {...route} />;
  }
}
