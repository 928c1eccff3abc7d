import { useEffect, useState, useSyncExternalStore } from 'react';
import { remember } from './remember.ts';
import { darkSystem, rememberedTheme, showTheme, type Theme } from './shown-theme.ts';

/** Uses the system's theme until the reader chooses another one; the choice is stored. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(rememberedTheme);
  const isDark = useSyncExternalStore(onSystemChange, () => darkSystem().matches);
  useEffect(() => showTheme(theme), [theme, isDark]);
  const choose = (next: Theme) => {
    remember('theme', next);
    setTheme(next);
  };
  return [theme, choose];
}

function onSystemChange(listener: () => void): () => void {
  const query = darkSystem();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
