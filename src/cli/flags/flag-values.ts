/** Parsers of flag values; an error names the flag. */
import { durationPattern, parseDuration } from '../../config/duration.ts';
import { languagePattern } from '../../config/language-tag.ts';
import { CollabError } from '../../errors/collab-error.ts';

/** Parses milliseconds, more than zero. The parser throws CollabError `usage`. */
export function takesDuration(flag: string): (text: string) => number {
  return (text) => {
    const isDuration = durationPattern.test(text);
    if (isDuration && parseDuration(text) > 0) return parseDuration(text);
    throw new CollabError('usage', `${flag} needs a duration, not "${text}"`, {
      hint: 'write it with a unit: 500ms, 30s, 9m, 1h30m',
    });
  };
}

/** Parses a count. The parser throws CollabError `usage`. */
export function takesCount(flag: string, most: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text);
    throw new CollabError('usage', `${flag} needs a whole number from 1 to ${most}, not "${text}"`);
  };
}

/** Parses US dollars, more than zero. The parser throws CollabError `usage`. */
export function takesAmount(flag: string): (text: string) => number {
  return (text) => {
    const amount = /^\d{1,6}(?:\.\d+)?$/.test(text) ? Number(text) : 0;
    if (amount > 0) return amount;
    throw new CollabError('usage', `${flag} needs an amount in US dollars, not "${text}"`, {
      hint: 'write it as 5 or 0.50',
    });
  };
}

/** Checks a language tag. @throws CollabError `usage` */
export function takesLanguage(text: string): string {
  if (languagePattern.test(text)) return text;
  throw new CollabError(
    'usage',
    `--language takes a language tag, not ${JSON.stringify(text.slice(0, 80))}`,
    {
      hint: 'write it as ja or pt-BR',
    },
  );
}

/** Parses a port; 0 means any free one. The parser throws CollabError `usage`. */
export function takesPort(flag: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new CollabError('usage', `${flag} needs a port, not "${text}"`, {
      hint: 'use a number from 1 to 65535, or 0 for any free port',
    });
  };
}
