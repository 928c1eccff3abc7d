/** The colors of the page: the reader's choice, or those of the system. */
import { remembered } from './remember.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export function rememberedTheme(): Theme {
  return remembered('theme', themes) ?? 'system';
}

/** The first script calls this before the first paint, so that the page is not light for a moment. */
export function showTheme(theme: Theme = rememberedTheme()): void {
  const shown = theme === 'system' ? (darkSystem().matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset['theme'] = shown;
}

export function darkSystem(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}
