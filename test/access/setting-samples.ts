/** A value of each setting that is not its default: as a file has it, and as a command line has it. */
import { parse } from 'yaml';
import { z } from 'zod';
import { exampleOf } from '../../src/config/describe-setting.ts';
import { flagName, settingRow, type SettingName } from '../../src/config/settings-table.ts';

export interface SettingSample {
  readonly written: unknown;
  /** Empty for a structure, which has no flag. */
  readonly flags: readonly string[];
}

/** The first one that fits is used. */
const candidates: readonly unknown[] = [
  false,
  true,
  'static_review',
  'ja',
  '1h30m',
  2,
  600,
  0.5,
  ['-x/**'],
  ['1s'],
  [{ format: 'json', file: 'x.json' }],
  { idle: '1s' },
  { attempts: 9 },
];

export function sampleOf(name: SettingName): SettingSample {
  const { is } = settingRow(name);
  const schema = is.schema(z);
  const { enum: choices = [] } = z.toJSONSchema(schema);
  const written = [...choices, ...candidates, parse(exampleOf(name))].find(
    (value) => value !== is.default && schema.safeParse(value).success,
  );
  return { written, flags: flagsOf(`--${flagName(name)}`, written) };
}

function flagsOf(flag: string, written: unknown): readonly string[] {
  if (written === true) return [flag];
  if (written === false) return [flag.replace('--', '--no-')];
  if (Array.isArray(written)) return written.flatMap((one: unknown) => flagsOf(flag, one));
  if (typeof written !== 'object' || written === null) return [`${flag}=${String(written)}`];
  return 'file' in written && 'format' in written
    ? [`${flag}=${String(written.format)}=${String(written.file)}`]
    : [];
}
