import { neutralise } from './neutralise.ts';
import { onOneLine } from './one-line.ts';

/** Returns foreign text on one line, with characters that would control a terminal made visible. */
export function neutralLine(text: string): string {
  return onOneLine(neutralise(text));
}
