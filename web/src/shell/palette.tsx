/** A dialog that finds places and settings by their names, with the keyboard alone. */
import { Command } from 'cmdk';
import { useCallback, useContext, type ReactElement } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { PathText } from '../design/path-text.tsx';
import { linkTo, newKinds, type Route } from '../route.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { ThemeContext } from './theme-context.ts';
import { readRecentRuns } from '../start/read-recent-runs.ts';
import { themes } from '../shown-theme.ts';
import { goTo } from '../use-route.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';
import { useTitle } from '../words/use-title.ts';
import { languageNames, languages } from '../words/words.ts';
import { paletteWords } from './palette-words.ts';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface Entry {
  /** Unique. */
  readonly id: string;
  readonly name: string;
  readonly choose: () => void;
}

export function Palette({ isOpen, onClose }: PaletteProps): ReactElement {
  const words = useWords(paletteWords);
  return (
    <Dialog isOpen={isOpen} title={words.title} onClose={onClose}>
      <Entries onClose={onClose} />
    </Dialog>
  );
}

function Entries({ onClose }: Pick<PaletteProps, 'onClose'>): ReactElement {
  const words = useWords(paletteWords);
  const shell = useWords(shellWords);
  const groups = [
    { head: words.places, entries: usePlaces() },
    { head: words.runs, entries: useRecentRuns() },
    { head: shell.conversations, entries: useConversations() },
    { head: shell.settings, entries: useSettings() },
  ];
  return (
    <Command className="palette" label={words.title} loop>
      <Command.Input ref={focusFirst} placeholder={words.wanted} />
      <Command.List label={words.title}>
        <Command.Empty>{words.nothing}</Command.Empty>
        {groups
          .filter(({ entries }) => entries.length > 0)
          .map(({ head, entries }) => (
            <Command.Group key={head} heading={head}>
              {entries.map(({ id, name, choose }) => (
                <Command.Item
                  key={id}
                  value={id}
                  keywords={[name]}
                  onSelect={() => {
                    onClose();
                    choose();
                  }}
                >
                  <PathText text={name} />
                </Command.Item>
              ))}
            </Command.Group>
          ))}
      </Command.List>
    </Command>
  );
}

/** The dialog focuses what has the attribute; React's `autoFocus` would come before the dialog is open. */
function focusFirst(input: HTMLInputElement | null): void {
  input?.setAttribute('autofocus', '');
}

function placeEntry(route: Route, name: string): Entry {
  return { id: linkTo(route), name, choose: () => goTo(route) };
}

function usePlaces(): readonly Entry[] {
  const words = useWords(paletteWords);
  const { home } = useWords(shellWords);
  return [
    placeEntry({ kind: 'home' }, home),
    ...newKinds.map((what) => placeEntry({ kind: 'new', what }, words.start[what])),
  ];
}

function useRecentRuns(): readonly Entry[] {
  const { client } = useServer();
  const titleOf = useTitle();
  const { value } = useAsked(useCallback(() => readRecentRuns(client), [client]));
  return (value ?? []).map((run) => {
    const { conversation_id: conversation, run_id: id } = run;
    const route = { kind: 'run', conversation, run: id, tab: null, finding: null } as const;
    return placeEntry(route, titleOf(run) || id);
  });
}

/** The most conversations that are offered; older ones are in the list beside. */
const mostConversations = 50;

function useConversations(): readonly Entry[] {
  const { untitled } = useWords(shellWords);
  const { client } = useServer();
  const titleOf = useTitle();
  const { value } = useAsked(useCallback(() => client.conversations(mostConversations), [client]));
  return (value?.conversations ?? []).map((conversation) =>
    placeEntry(
      { kind: 'conversation', conversation: conversation.conversation_id },
      titleOf(conversation) || untitled,
    ),
  );
}

function useSettings(): readonly Entry[] {
  const words = useWords(paletteWords);
  const shell = useWords(shellWords);
  const { choose } = useLanguage();
  const [, setTheme] = useContext(ThemeContext);
  return [
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      name: words.theme(shell.themes[theme]),
      choose: () => setTheme(theme),
    })),
    ...languages.map((language) => ({
      id: `language ${language}`,
      name: words.language(languageNames[language]),
      choose: () => choose(language),
    })),
  ];
}
