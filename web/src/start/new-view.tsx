import { Tabs } from 'radix-ui';
import type { ReactElement } from 'react';
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
      <Tabs.Root
        value={what}
        activationMode="manual"
        onValueChange={(value) =>
          goTo({ kind: 'new', what: newKinds.find((kind) => kind === value) ?? 'conversation' })
        }
      >
        <Tabs.List className="tabs" aria-label={words.new}>
          {newKinds.map((kind) => (
            <Tabs.Trigger key={kind} value={kind}>
              {words.kinds[kind]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="conversation">
          <p>{words.about.conversation}</p>
          <button
            type="button"
            className="primary"
            onClick={() => goTo({ kind: 'conversation', conversation: newConversationId() })}
          >
            {words.open}
          </button>
        </Tabs.Content>
        <Tabs.Content value="review">
          <p>{words.about.review}</p>
          <ReviewForm />
        </Tabs.Content>
        <Tabs.Content value="run">
          <p>{words.about.run}</p>
          <TaskForm />
        </Tabs.Content>
      </Tabs.Root>
      <RecentRuns fallback={null} />
    </section>
  );
}
