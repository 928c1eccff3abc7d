import { useContext, type ReactElement } from 'react';
import { Icon } from '../design/icon.tsx';
import { language as languageIcon, theme as themeIcon } from '../design/icons.ts';
import { optionsOf, Select } from '../design/select.tsx';
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
      <span className="choice">
        <Icon of={languageIcon} />
        <Select
          aria-label={words.language}
          value={language}
          options={optionsOf(languages, languageNames)}
          onChoose={choose}
        />
      </span>
      <span className="choice">
        <Icon of={themeIcon} />
        <Select
          aria-label={words.theme}
          value={theme}
          options={optionsOf(themes, words.themes)}
          onChoose={setTheme}
        />
      </span>
    </div>
  );
}
