import type { ReactElement } from 'react';
import { Loading } from './design/placeholder.tsx';
import { LoginView } from './shell/login-view.tsx';
import { FailureLine } from './server/failure-line.tsx';
import { ServerProvider, useSession } from './server/server-context.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { Shell } from './shell/shell.tsx';
import { shellWords } from './words/shell-words.ts';
import { ThemeContext } from './shell/theme-context.ts';
import { useTheme } from './theme.ts';
import { LanguageProvider, useWords } from './words/language.tsx';

export function App(): ReactElement {
  const theme = useTheme();
  useKeptFocus();
  return (
    <ThemeContext value={theme}>
      <LanguageProvider>
        <Entrance />
      </LanguageProvider>
    </ThemeContext>
  );
}

/** Readers see only what the server allows; an unknown reader gets a message. */
function Entrance(): ReactElement {
  const words = useWords(shellWords);
  const choice = useSession();
  const { state } = choice;
  switch (state.kind) {
    case 'asking':
      return (
        <div className="shell">
          <header className="top-bar">
            <span className="brand">{words.title}</span>
          </header>
          <main tabIndex={-1}>
            <Loading>{words.loading}</Loading>
          </main>
        </div>
      );
    case 'unreachable':
      return (
        <main className="login" tabIndex={-1}>
          <h1>{words.title}</h1>
          <FailureLine failure={{ status: null, detail: state.message, hint: null }} onAgain={choice.ask} />
        </main>
      );
    case 'unknown':
      return <LoginView logIn={choice.logIn} />;
    case 'known':
      return (
        <>
          {state.isLoggedOut && <LoginView logIn={choice.logIn} />}
          {/* Another tenant must see nothing of this one. */}
          <ServerProvider key={state.session.tenant} {...state} choice={choice}>
            <div inert={state.isLoggedOut}>
              <Shell />
            </div>
          </ServerProvider>
        </>
      );
  }
}
