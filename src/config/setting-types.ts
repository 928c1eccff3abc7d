/**
 * The types of settings: how one is written in a file, an HTTP field and a flag, and its value inside the program.
 * Schemas are functions of zod, so that help does not load it.
 */
import type { z } from 'zod';
import { isReportFormat, reportFormats } from '../views/reports/report-formats.ts';
import { durationPattern, parseDuration } from './duration.ts';
import {
  amountText,
  countText,
  durationText,
  languageText,
  type CountBounds,
  type FlagText,
} from './flag-text.ts';
import { languageFault, languagePattern } from './language-tag.ts';
import type { KeptLimits } from './structures.ts';
import { requirePassed } from '../system/files/write-named.ts';
import type { ReportTarget } from './settings.ts';

export type Zod = typeof z;

/** `Written`: in a file, a field or a flag. `Value`: inside the program; null if nothing is set and there is no default. */
export interface SettingType<Written, Value, Unit extends string = ''> {
  readonly default: Value;
  /** Added to the setting's name inside the program: `_ms` for a value that is written with its unit. */
  readonly unit: Unit;
  readonly schema: (zod: Zod) => z.ZodType<Written>;
  /** The schema of the HTTP field, if it accepts less. */
  readonly field?: (zod: Zod) => z.ZodType;
  /** The schema in `input.json`, if it is not the written one. */
  readonly kept?: (zod: Zod) => z.ZodType;
  read(written: Written, context: ReadContext<Value>): Value;
  /** The text of a flag; null for one without a text, and for a structure. */
  readonly text: FlagText<unknown> | null;
  readonly choices?: readonly string[];
  /** True if a flag can be repeated: each adds a value. */
  readonly isList?: true;
}

/** A type whose value is a path: naming one in a request needs a permission of its own. */
export interface NamesPath {
  readonly namesPath: true;
}

export interface ReadContext<Value> {
  /** The value that the written one overrides. */
  readonly before: Value;
  /** The limits of a turn outside a phase, as the same words set them. */
  readonly limits: KeptLimits;
  /** Returns the absolute path that a text names; `at` is its place within the setting. */
  readonly pathOf: (text: string, ...at: readonly PropertyKey[]) => string;
}

export function yesOrNo(usual: boolean): SettingType<boolean, boolean> {
  return { ...plain(usual), schema: (zod) => zod.boolean(), text: null };
}

export function yesNoOrAuto(): SettingType<boolean | 'auto', boolean | 'auto'> {
  return {
    ...plain('auto'),
    schema: (zod) => zod.union([zod.boolean(), zod.literal('auto')]),
    field: (zod) => zod.boolean(),
    text: null,
  };
}

/** `name` names the value in help: `--fail-on <severity>`. */
export function choice<const Value extends string>(
  name: string,
  values: readonly Value[],
  usual: NoInfer<Value>,
): SettingType<Value, Value> {
  return { ...plain(usual), schema: (zod) => zod.enum(values), text: anyText(name), choices: values };
}

export function freeText(mostCharacters: number): SettingType<string, string | null> {
  return {
    ...plain(null),
    schema: (zod) => zod.string(),
    field: (zod) => wordsSchema(zod, mostCharacters),
    text: anyText('text'),
  };
}

/** `auto`, `<provider>` or `<provider>:<model>`. */
export function agent(): SettingType<string, string> {
  return {
    ...plain('auto'),
    schema: (zod) => zod.string().min(1),
    field: (zod) => wordsSchema(zod, mostNameCharacters),
    text: anyText('provider[:model]'),
  };
}

export function language(): SettingType<string, string | null> {
  return {
    ...plain(null),
    schema: (zod) => zod.string().regex(languagePattern, languageFault),
    text: languageText,
  };
}

export function globs(): SettingType<readonly string[], readonly string[]> {
  return {
    ...plain([]),
    schema: (zod) => zod.array(zod.string().min(1)),
    field: (zod) => zod.array(wordsSchema(zod, mostNameCharacters)).max(100),
    kept: (zod) => zod.array(zod.string()),
    text: anyText('glob'),
    isList: true,
  };
}

export function count(usual: number, bounds: CountBounds): SettingType<number, number> {
  return { ...countType(bounds), default: usual };
}

/** A count without a default. */
export function countIfSet(bounds: CountBounds): SettingType<number, number | null> {
  return { ...countType(bounds), default: null };
}

/** A count that null turns off. */
export function countOrNull(usual: number, bounds: CountBounds): SettingType<number | null, number | null> {
  const { schema, ...others } = countType(bounds);
  return { ...others, default: usual, schema: (zod) => schema(zod).nullable(), read: asWritten };
}

function countType({ least = 1, most }: CountBounds): SettingType<number, number> {
  return {
    ...plain(least),
    schema: (zod) => zod.int().min(least).max(most),
    kept: positive,
    text: countText({ least, most }),
  };
}

/** US dollars. */
export function amount(most: number): SettingType<number, number | null> {
  return { ...plain(null), schema: (zod) => zod.number().positive().max(most), text: amountText(most) };
}

export function duration(): SettingType<string, number | null, '_ms'> {
  return {
    default: null,
    unit: '_ms',
    schema: spanSchema,
    kept: positive,
    read: parseDuration,
    text: { ...durationText, parse: (written) => (durationText.parse(written) === null ? null : written) },
  };
}

export function durations(
  usualMs: readonly number[],
): SettingType<readonly string[], readonly number[], '_ms'> {
  return {
    default: usualMs,
    unit: '_ms',
    schema: (zod) => zod.array(durationSchema(zod)).min(1),
    kept: (zod) => zod.array(zod.int().nonnegative()),
    read: (written) => written.map(parseDuration),
    text: anyText('duration'),
    isList: true,
  };
}

/** Inside the program, a path is absolute. */
export function path(): SettingType<string, string | null> & NamesPath {
  return {
    ...plain(null),
    namesPath: true,
    schema: pathSchema,
    read: (written, { pathOf }) => pathOf(written),
    text: anyText('file'),
  };
}

export function paths(): SettingType<readonly string[], readonly string[] | null> & NamesPath {
  return {
    ...plain(null),
    namesPath: true,
    schema: (zod) => zod.array(pathSchema(zod)),
    read: (written, { pathOf }) => written.map((name, index) => pathOf(name, index)),
    text: anyText('folder'),
    isList: true,
  };
}

export function reports(): SettingType<readonly ReportTarget[], readonly ReportTarget[]> & NamesPath {
  return {
    ...plain([]),
    namesPath: true,
    schema: (zod) => zod.array(zod.strictObject({ format: zod.enum(reportFormats), file: pathSchema(zod) })),
    read: (written, { pathOf }) =>
      written.map(({ format, file }, index) => ({ format, file: pathOf(file, index, 'file') })),
    text: {
      name: 'format=file',
      wants: '<format>=<file>',
      hint: `for example --report json=review.json; formats: ${reportFormats.join(', ')}`,
      parse: parseReport,
    },
    isList: true,
  };
}

/** Runs before this program opens descriptors of its own. @throws CollabError `input` for one that is not open */
function parseReport(written: string): ReportTarget | null {
  const equals = written.indexOf('=');
  const format = written.slice(0, Math.max(0, equals));
  const file = written.slice(equals + 1);
  if (!isReportFormat(format) || file === '') return null;
  requirePassed(file);
  return { format, file };
}

/** A text of a request: never a NUL, never more than the given number of characters. */
export function wordsSchema(zod: Zod, mostCharacters: number): z.ZodString {
  return zod
    .string()
    .min(1)
    .max(mostCharacters)
    .regex(/^[^\0]*$/, 'holds a NUL');
}

/** Characters of the name of an agent, a file or a revision. */
export const mostNameCharacters = 1000;

/** More than zero: a limit of zero would end every turn before it starts. */
export function spanSchema(zod: Zod): z.ZodString {
  return durationSchema(zod).regex(/[1-9]/, 'must be more than zero');
}

function durationSchema(zod: Zod): z.ZodString {
  return zod
    .string()
    .regex(durationPattern, 'must be a duration such as 30s, 9m or 1h30m')
    .describe('A duration: 500ms, 30s, 9m, 1h30m.');
}

function pathSchema(zod: Zod): z.ZodString {
  return zod
    .string()
    .min(1)
    .regex(/^[^\0]*$/, 'must not contain a NUL');
}

function positive(zod: Zod): z.ZodInt {
  return zod.int().positive();
}

function anyText(name: string): FlagText<string> {
  return { name, wants: 'a text', parse: (written) => written };
}

function plain<Value>(usual: Value) {
  return { default: usual, unit: '', read: asWritten } as const;
}

function asWritten<Written>(written: Written): Written {
  return written;
}
