import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { linkTo } from '../route.ts';
import { shellWords } from '../words/shell-words.ts';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

/** The page of a conversation that the server does not know and that was not opened here. */
export function MissingConversation({ conversation }: { readonly conversation: string }): ReactElement {
  const words = useWords(talkWords);
  const { home } = useWords(shellWords);
  return (
    <section className="missing">
      <p>{words.missingWhy}</p>
      <p>
        <code>{neutralise(conversation)}</code>
      </p>
      <p className="row">
        <a className="button primary" href={linkTo({ kind: 'home' })}>
          {home}
        </a>
        <a className="button" href={linkTo({ kind: 'new', what: 'conversation' })}>
          {words.newConversation}
        </a>
      </p>
    </section>
  );
}
