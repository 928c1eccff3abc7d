/** Formats numbers, times and sizes in the chosen language. */
import { useLanguage } from './language.tsx';
import type { PageLanguage } from './words.ts';

export interface Format {
  readonly count: (count: number) => string;
  readonly usd: (usd: number) => string;
  readonly duration: (ms: number) => string;
  readonly time: (timestamp: string) => string;
  readonly moment: (timestamp: string) => string;
  /** The time since then, in its largest unit: `3 hours ago`. */
  readonly age: (timestamp: string) => string;
  readonly bytes: (bytes: number) => string;
}

export function useFormat(): Format {
  const { language } = useLanguage();
  return (formats[language] ??= createFormat(language));
}

/** Each of a language's formats is made once, and when it is first used: browsers take long to make them. */
const formats: Partial<Record<PageLanguage, Format>> = {};

function createFormat(language: PageLanguage): Format {
  const number = whenUsed(() => new Intl.NumberFormat(language));
  const money = whenUsed(
    () =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: 6,
      }),
  );
  const time = whenUsed(() => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }));
  const moment = whenUsed(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  const relative = whenUsed(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  const units = language === 'ja' ? { s: ' 秒', min: ' 分 ' } : { s: ' s', min: ' min ' };

  return {
    count: (count) => number().format(count),
    usd: (usd) => money().format(usd),
    time: (timestamp) => told(time(), timestamp),
    moment: (timestamp) => told(moment(), timestamp),
    age: (timestamp) => ageOf(relative(), timestamp),
    bytes: (bytes) =>
      bytes < 1024 ? `${number().format(bytes)} B` : `${number().format(Math.ceil(bytes / 1024))} KiB`,
    duration(ms) {
      if (ms < 1000) return `${(ms / 1000).toFixed(1)}${units.s}`;
      const seconds = Math.round(ms / 1000);
      const rest = `${seconds % 60}${units.s}`;
      return seconds < 60 ? rest : `${Math.floor(seconds / 60)}${units.min}${rest}`;
    },
  };
}

function whenUsed<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

const ageUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function ageOf(relative: Intl.RelativeTimeFormat, timestamp: string): string {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(timestamp)) / 1000));
  if (Number.isNaN(seconds)) return timestamp;
  const [unit, size] = ageUnits.find(([, least]) => seconds >= least) ?? ageUnits[3];
  return relative.format(-Math.floor(seconds / size), unit);
}

/** An unreadable time is shown as it was sent. */
function told(format: Intl.DateTimeFormat, timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : format.format(date);
}
