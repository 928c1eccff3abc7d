import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Tabs } from '../design/tabs.tsx';
import { latePart } from '../late-part.tsx';
import { newKinds, type NewKind } from '../route.ts';
import { shellWords } from '../words/shell-words.ts';
import { goTo } from '../use-route.ts';
import { useWords } from '../words/language.tsx';
import { newConversationId } from './conversation-id.ts';
import { ReviewForm } from './review-form.tsx';
import { startWords } from './start-words.ts';
import { TaskForm } from './task-form.tsx';

/** Loaded behind the start page: the words of outcomes are not needed to begin something. */
const RecentRuns = latePart(async () => (await import('./recent-runs.tsx')).RecentRuns);

/** Offers the three things that can be started. */
export function NewView({ what }: { readonly what: NewKind }): ReactElement {
  const words = useWords(startWords);
  const { intro } = useWords(shellWords);
  return (
    <section className="new" aria-label={words.new}>
      <h1>{words.new}</h1>
      <p>{intro}</p>
      <Tabs
        label={words.new}
        names={newKinds}
        words={words.kinds}
        open={what}
        onOpen={(next) => goTo({ kind: 'new', what: next })}
        panels={{
          conversation: (
            <>
              <p>{words.about.conversation}</p>
              <Button
                kind="primary"
                onClick={() => goTo({ kind: 'conversation', conversation: newConversationId() })}
              >
                {words.open}
              </Button>
            </>
          ),
          review: (
            <>
              <p>{words.about.review}</p>
              <ReviewForm />
            </>
          ),
          run: (
            <>
              <p>{words.about.run}</p>
              <TaskForm />
            </>
          ),
        }}
      />
      <RecentRuns fallback={null} />
    </section>
  );
}
