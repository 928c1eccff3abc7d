/**
 * Formats numbers, times and sizes in the chosen language, as `Intl` does. Making the first format of `Intl` takes a browser
 * tens of milliseconds before its first view, so only the ages of runs are made by it.
 */
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
  const relative = whenUsed(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  const units = language === 'ja' ? { s: ' 秒', min: ' 分 ' } : { s: ' s', min: ' min ' };

  return {
    count: (count) => decimal(count, 0, 3),
    usd: (usd) => `${usd < 0 ? '-' : ''}$${decimal(Math.abs(usd), 2, 6)}`,
    time: (timestamp) => told(timestamp, (date) => clock(date, language, [date.getSeconds()])),
    moment: (timestamp) => told(timestamp, (date) => day(date, language) + clock(date, language, [])),
    age: (timestamp) => ageOf(relative(), timestamp),
    bytes: (bytes) =>
      bytes < 1024 ? `${decimal(bytes, 0, 3)} B` : `${decimal(Math.ceil(bytes / 1024), 0, 3)} KiB`,
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
function told(timestamp: string, format: (date: Date) => string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : format(date);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Both languages write a time after it. */
function day(date: Date, language: PageLanguage): string {
  const [year, month, of] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (language === 'ja') return `${year}/${twoDigits(month + 1)}/${twoDigits(of)} `;
  return `${months[month]} ${of}, ${year}, `;
}

function clock(date: Date, language: PageLanguage, seconds: readonly number[]): string {
  const rest = [date.getMinutes(), ...seconds].map((part) => `:${twoDigits(part)}`).join('');
  const hours = date.getHours();
  if (language === 'ja') return `${hours}${rest}`;
  return `${hours % 12 === 0 ? 12 : hours % 12}${rest} ${hours < 12 ? 'AM' : 'PM'}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

/** Both languages group thousands by commas. */
function decimal(value: number, least: number, most: number): string {
  const [whole = '', places = ''] = value.toFixed(most).split('.');
  const shown = places.replace(/0+$/, '').padEnd(least, '0');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return shown === '' ? grouped : `${grouped}.${shown}`;
}
