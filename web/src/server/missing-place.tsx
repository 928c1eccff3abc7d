import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { ButtonLink } from '../design/button.tsx';
import { linkTo, type Route } from '../route.ts';
import { shellWords } from '../words/shell-words.ts';
import { useWords } from '../words/language.tsx';

interface MissingPlaceProps {
  /** The name in the address. */
  readonly name: string;
  readonly why: string;
  /** The way to go on, beside the start page. */
  readonly next: Route;
  readonly nextWords: string;
}

/** The page of a run or a conversation that the server does not know: nothing of it can be shown. */
export function MissingPlace({ name, why, next, nextWords }: MissingPlaceProps): ReactElement {
  const { home } = useWords(shellWords);
  return (
    <section className="missing">
      <p>{why}</p>
      <p>
        <code>{neutralise(name)}</code>
      </p>
      <p className="row">
        <ButtonLink kind="primary" href={linkTo({ kind: 'home' })}>
          {home}
        </ButtonLink>
        <ButtonLink href={linkTo(next)}>{nextWords}</ButtonLink>
      </p>
    </section>
  );
}
