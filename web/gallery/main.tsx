import { createRoot } from 'react-dom/client';
import { ThemeContext } from '../src/shell/theme-context.ts';
import { useTheme } from '../src/theme.ts';
import { LanguageProvider } from '../src/words/language.tsx';
import { Gallery } from './gallery.tsx';

function Page() {
  return (
    <ThemeContext value={useTheme()}>
      <LanguageProvider>
        <Gallery />
      </LanguageProvider>
    </ThemeContext>
  );
}

const place = document.getElementById('page');
if (place !== null) createRoot(place).render(<Page />);
