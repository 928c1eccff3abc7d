import { useContext, type ReactElement } from 'react';
import { themes } from '../theme.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { languages } from '../words/words.ts';
import { shellWords } from './shell-words.ts';
import { ThemeContext } from './theme-context.ts';

/** Language and theme. */
export function Choices(): ReactElement {
  const words = useWords(shellWords);
  const { language, choose } = useLanguage();
  const [theme, setTheme] = useContext(ThemeContext);
  return (
    <div className="choices" role="group" aria-label={words.settings}>
      <select
        aria-label={words.language}
        value={language}
        onChange={({ target }) => choose(languages.find((known) => known === target.value) ?? language)}
      >
        <option value="en">English</option>
        <option value="ja">日本語</option>
      </select>
      <select
        aria-label={words.theme}
        value={theme}
        onChange={({ target }) => setTheme(themes.find((known) => known === target.value) ?? theme)}
      >
        {themes.map((known) => (
          <option key={known} value={known}>
            {words.themes[known]}
          </option>
        ))}
      </select>
    </div>
  );
}
