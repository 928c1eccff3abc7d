import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { linkTo } from '../route.ts';
import { PaletteButton } from './palette-button.tsx';
import { useServer } from '../server/server-context.tsx';
import { useWords } from '../words/language.tsx';
import { Choices } from './choices.tsx';
import { shellWords } from '../words/shell-words.ts';

export function TopBar(): ReactElement {
  const words = useWords(shellWords);
  const { version, tenant, logOut } = useServer();
  return (
    <header className="top-bar">
      <a className="brand" href={linkTo({ kind: 'home' })} aria-label={`${words.title}: ${words.home}`}>
        {words.title}
      </a>
      <span className="quiet version">{version}</span>
      <PaletteButton />
      <Choices />
      {tenant !== 'local' && <Button onClick={() => void logOut()}>{words.logOut}</Button>}
    </header>
  );
}
