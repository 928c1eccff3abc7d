/** The command line of `npm run quality`. */
import { parseArgs } from 'node:util';
import { QualityError } from './sets/benchmark-set.ts';

export const usage = `npm run quality                                   scores the shipped changes by rules and by a rehearsal
npm run quality -- --set <folder> --advisor <provider[:model]> [flags] [-- <flags of collab review>]
  --set <folder>         read this benchmark set (default: the shipped changes)
  --advisor <name>       choose the reviewer, as collab review does
  --runs <n>             review each change n times (default: 3)
  --only <a,b>           take these changes
  --limit <n>            take the first n changes
  --concurrency <n>      review n changes at once (default: 2)
  --judge <judge>        choose who compares meanings: words, none, command:<line>
  --judgments <file>     keep the judge's answers, and reuse them
  --out <file>           save the results; continues what the file lacks
  --yes                  start after printing the cost
npm run quality -- --replay <file> [--judge …]    scores saved results; calls no reviewer
npm run quality -- --compare <before> <after>     compares two saved results`;

export interface MeasureArguments {
  readonly kind: 'measure';
  readonly set: string | null;
  readonly advisor: string;
  readonly runs: number;
  readonly only: readonly string[] | null;
  readonly limit: number | null;
  readonly concurrency: number;
  readonly judge: string | null;
  readonly judgments: string | null;
  readonly out: string | null;
  readonly yes: boolean;
  readonly further: readonly string[];
}

export type QualityArguments =
  | { readonly kind: 'help' }
  /** The figures of README. */
  | { readonly kind: 'shipped' }
  | MeasureArguments
  | {
      readonly kind: 'replay';
      readonly file: string;
      readonly judge: string | null;
      readonly judgments: string | null;
      readonly yes: boolean;
    }
  | { readonly kind: 'compare'; readonly before: string; readonly after: string };

/** @throws QualityError */
export function readArguments(line: readonly string[]): QualityArguments {
  if (line.length === 0) return { kind: 'shipped' };
  const end = line.indexOf('--');
  const own = end === -1 ? line : line.slice(0, end);
  const { values, positionals } = parse(own);
  if (values.help) return { kind: 'help' };
  const { judge = null, judgments = null, yes } = values;
  if (values.compare) {
    const [before, after, ...more] = positionals;
    if (before === undefined || after === undefined || more.length > 0)
      throw refused('--compare takes two files that --out wrote');
    return { kind: 'compare', before, after };
  }
  if (positionals.length > 0) throw refused(`unexpected argument ${positionals[0]}`);
  if (values.replay !== undefined) return { kind: 'replay', file: values.replay, judge, judgments, yes };
  if (values.advisor === undefined) throw refused('--advisor is missing');
  return {
    kind: 'measure',
    set: values.set ?? null,
    advisor: values.advisor,
    runs: wholeNumber('--runs', values.runs) ?? 3,
    only: values.only?.split(',') ?? null,
    limit: wholeNumber('--limit', values.limit),
    concurrency: wholeNumber('--concurrency', values.concurrency) ?? 2,
    judge,
    judgments,
    out: values.out ?? null,
    yes,
    further: end === -1 ? [] : line.slice(end + 1),
  };
}

function parse(line: readonly string[]) {
  try {
    return parseArgs({
      args: [...line],
      allowPositionals: true,
      options: {
        set: { type: 'string' },
        advisor: { type: 'string' },
        runs: { type: 'string' },
        only: { type: 'string' },
        limit: { type: 'string' },
        concurrency: { type: 'string' },
        judge: { type: 'string' },
        judgments: { type: 'string' },
        out: { type: 'string' },
        replay: { type: 'string' },
        yes: { type: 'boolean', default: false },
        compare: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw refused(`${flag} needs a whole number of 1 or more, not ${text}`);
  return Number(text);
}

function refused(message: string): QualityError {
  return new QualityError(message, usage);
}
