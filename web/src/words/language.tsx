import { createContext, use, useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { remember, remembered } from '../remember.ts';
import { languages, type PageLanguage, type Words } from './words.ts';

export interface LanguageChoice {
  readonly language: PageLanguage;
  readonly choose: (language: PageLanguage) => void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function useLanguage(): LanguageChoice {
  return use(LanguageContext);
}

/** Returns the texts of a part in the chosen language. */
export function useWords<Catalogue>(words: Words<Catalogue>): Catalogue {
  return words[useLanguage().language];
}

/** Uses the browser's language until the reader chooses another one; the choice is stored. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [language, setLanguage] = useState<PageLanguage>(
    () => remembered('language', languages) ?? browserLanguage(),
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose: (next: PageLanguage) => {
        remember('language', next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

function browserLanguage(): PageLanguage {
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}
