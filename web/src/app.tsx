import type { ReactElement } from 'react';
import { LanguageProvider } from './words/language.tsx';

export function App(): ReactElement {
  return (
    <LanguageProvider>
      <main />
    </LanguageProvider>
  );
}
