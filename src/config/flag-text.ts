/** Parsers for the text of flags. */
import { durationPattern, parseDuration } from './duration.ts';
import { languagePattern } from './language-tag.ts';

export interface FlagText<Value> {
  /** Names the text in the help of a flag: `--budget-calls <n>`. */
  readonly name: string;
  /** Completes `--budget-calls needs …`. */
  readonly wants: string;
  readonly hint?: string;
  /** Returns null for any other text. */
  readonly parse: (text: string) => Value | null;
}

export interface CountBounds {
  /** 1 by default. */
  readonly least?: number;
  readonly most: number;
}

export function countText({ least = 1, most }: CountBounds): FlagText<number> {
  return {
    name: 'n',
    wants: `a whole number from ${least} to ${most}`,
    parse: (text) => (/^(?:0|[1-9]\d*)$/.test(text) ? within(Number(text), least, most) : null),
  };
}

export function amountText(most: number): FlagText<number> {
  return {
    name: 'n',
    wants: 'an amount in US dollars',
    hint: 'write it as 5 or 0.50',
    parse: (text) => (/^\d+(?:\.\d+)?$/.test(text) ? within(Number(text), Number.MIN_VALUE, most) : null),
  };
}

/** Milliseconds, more than zero. */
export const durationText: FlagText<number> = {
  name: 'duration',
  wants: 'a duration',
  hint: 'write it with a unit: 500ms, 30s, 9m, 1h30m',
  parse: (text) => (durationPattern.test(text) && parseDuration(text) > 0 ? parseDuration(text) : null),
};

export const languageText: FlagText<string> = {
  name: 'tag',
  wants: 'a language tag',
  hint: 'write it as ja or pt-BR',
  parse: (text) => (languagePattern.test(text) ? text : null),
};

function within(value: number, least: number, most: number): number | null {
  return value >= least && value <= most ? value : null;
}
