/** Parsers of flag values; an error names the flag. */
import { durationText, type FlagText } from '../../config/flag-text.ts';
import { CollabError } from '../../errors/collab-error.ts';

/** Returns a parser that throws CollabError `usage` for any other text. */
export function takes<Value>(flag: string, { wants, hint, parse }: FlagText<Value>): (text: string) => Value {
  return (text) => {
    const value = parse(text);
    if (value !== null) return value;
    const hints = hint === undefined ? {} : { hint };
    throw new CollabError('usage', `${flag} needs ${wants}, not "${text.slice(0, mostShown)}"`, hints);
  };
}

/** Characters of a wrong value in an error. */
const mostShown = 80;

/** Parses milliseconds, more than zero. */
export function takesDuration(flag: string): (text: string) => number {
  return takes(flag, durationText);
}

/** Parses a port; 0 means any free one. */
export const portText: FlagText<number> = {
  name: 'n',
  wants: 'a port',
  hint: 'use a number from 1 to 65535, or 0 for any free port',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null),
};
