import { useContext, type ReactElement } from 'react';
import { SelectOne } from '../select-one.tsx';
import { themes } from '../shown-theme.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { languageNames, languages } from '../words/words.ts';
import { shellWords } from '../words/shell-words.ts';
import { ThemeContext } from './theme-context.ts';

/** Language and theme. */
export function Choices(): ReactElement {
  const words = useWords(shellWords);
  const { language, choose } = useLanguage();
  const [theme, setTheme] = useContext(ThemeContext);
  return (
    <div className="choices" role="group" aria-label={words.settings}>
      <SelectOne
        label={words.language}
        value={language}
        offered={languages}
        words={languageNames}
        onChange={choose}
      />
      <SelectOne
        label={words.theme}
        value={theme}
        offered={themes}
        words={words.themes}
        onChange={setTheme}
      />
    </div>
  );
}
