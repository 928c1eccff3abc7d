import { useEffect, useState, useSyncExternalStore } from 'react';
import { remember, remembered } from './remember.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Uses the system's theme until the reader chooses another one; the choice is stored. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => remembered('theme', themes) ?? 'system');
  const isDark = useSyncExternalStore(onSystemChange, () => darkSystem().matches);
  const shown = theme === 'system' ? (isDark ? 'dark' : 'light') : theme;
  useEffect(() => {
    document.documentElement.dataset['theme'] = shown;
  }, [shown]);
  const choose = (next: Theme) => {
    remember('theme', next);
    setTheme(next);
  };
  return [theme, choose];
}

function darkSystem(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function onSystemChange(listener: () => void): () => void {
  const query = darkSystem();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
