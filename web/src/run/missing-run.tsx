import type { ReactElement } from 'react';
import { linkTo, type Route } from '../route.ts';
import { shellWords } from '../words/shell-words.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

/** The whole page of a run that the server does not know: nothing of it can be shown, continued or canceled. */
export function MissingRun({ route }: { readonly route: Extract<Route, { kind: 'run' }> }): ReactElement {
  const words = useWords(runWords);
  const { home } = useWords(shellWords);
  return (
    <section className="missing" aria-labelledby="missing-head">
      <h1 id="missing-head">{words.missing}</h1>
      <p>{words.missingWhy}</p>
      <p>
        <code>{route.run}</code>
      </p>
      <p className="row">
        <a className="button primary" href={linkTo({ kind: 'home' })}>
          {home}
        </a>
        <a className="button" href={linkTo({ kind: 'conversation', conversation: route.conversation })}>
          {words.toConversation}
        </a>
      </p>
    </section>
  );
}
