import { createContext } from 'react';
import type { Theme } from '../shown-theme.ts';

export const ThemeContext = createContext<readonly [Theme, (theme: Theme) => void]>([
  'system',
  () => undefined,
]);
