import { createContext, use, useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { remember, remembered } from '../remember.ts';
import { languages, type Language, type Words } from './words.ts';

export interface LanguageChoice {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function useLanguage(): LanguageChoice {
  return use(LanguageContext);
}

/** The texts of a part in the language that was chosen. */
export function useWords<Catalogue>(words: Words<Catalogue>): Catalogue {
  return words[useLanguage().language];
}

/** The browser's language until another one is chosen; the choice is kept. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [language, setLanguage] = useState<Language>(
    () => remembered('language', languages) ?? browserLanguage(),
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose: (next: Language) => {
        remember('language', next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}
