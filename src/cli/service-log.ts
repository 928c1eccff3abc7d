/** The log of a command that runs until it is stopped: lines for people, or JSON lines for a collector of logs. */
import { Option } from 'commander';
import { timestampOf } from '../text/timestamp.ts';
import { printableError } from './printable-error.ts';
import type { Session } from './session.ts';
import { renderJsonLine } from '../text/render-json.ts';

const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

export interface ServiceEntry {
  /** A fixed word, such as `run_taken`. */
  readonly event: string;
  readonly message: string;
  /** The remedy. */
  readonly hint?: string;
  /** Default `info`. */
  readonly level?: 'info' | 'warn' | 'error';
  readonly run?: string;
  readonly tenant?: string;
}

export interface ServiceLog {
  /** Writes an entry in both formats. */
  say(entry: ServiceEntry): void;
  /** Writes an entry only as JSON: a person at the terminal sees it elsewhere. */
  record(entry: ServiceEntry): void;
}

export function logOption(): Option {
  return new Option('--log <format>', 'write the log as lines of text or of JSON')
    .choices(logFormats)
    .default('text');
}

/** Writes to standard error. `always` is in each JSON line; `prefix` is before each line of text. */
export function createServiceLog(
  { err, clock }: Pick<Session, 'err' | 'clock'>,
  format: LogFormat,
  { always = {}, prefix = '' }: { readonly always?: object; readonly prefix?: string } = {},
): ServiceLog {
  const record = ({ level = 'info', event, message, hint, ...more }: ServiceEntry): void => {
    if (format === 'text') return;
    const entry = { time: timestampOf(clock), level, event, ...always, ...more };
    const text = {
      message: printableError(message),
      ...(hint === undefined ? {} : { hint: printableError(hint) }),
    };
    err(renderJsonLine({ ...entry, ...text }));
  };
  return {
    record,
    say(entry) {
      if (format === 'json') return record(entry);
      err(`${prefix}${printableError(entry.message)}\n`);
      if (entry.hint !== undefined) err(`  ${printableError(entry.hint)}\n`);
    },
  };
}
