/** Schemas of several settings at once: the fields of a request, and the settings that a run keeps. */
import { z } from 'zod';
import {
  isKept,
  settingKey,
  settingNames,
  settingRow,
  flagSettings,
  requestDeed,
  type FlagSetting,
  type KeptSettings,
  type PathSetting,
  type SettingWords,
} from './settings-table.ts';

type Fields<Command extends 'review' | 'run' | 'fix'> = {
  readonly [Name in Exclude<FlagSetting<Command>, PathSetting>]: z.ZodOptional<
    z.ZodType<Exclude<SettingWords[Name], undefined>>
  >;
};

/** Returns the fields of a request that are settings: the flags of the same command, except paths. */
export function settingFields<Command extends 'review' | 'run' | 'fix'>(command: Command): Fields<Command>;
export function settingFields(command: 'review' | 'run' | 'fix'): Readonly<Record<string, z.ZodType>> {
  const named = flagSettings(command).filter((name) => requestDeed(name) !== 'name a path');
  const fields = named.map((name) => {
    const { is, about } = settingRow(name);
    return [name, (is.field?.(z) ?? is.schema(z)).optional().describe(about)];
  });
  return Object.fromEntries(fields);
}

/** The settings in `input.json`. One that the file lacks did not exist when its run started. */
export function keptShape(): { readonly [Key in keyof KeptSettings]: z.ZodType<KeptSettings[Key]> };
export function keptShape(): Readonly<Record<string, z.ZodType>> {
  const shape = settingNames.filter(isKept).map((name) => {
    const { is, kept } = settingRow(name);
    const schema = is.kept?.(z) ?? is.schema(z);
    const orNull = is.default === null ? schema.nullable() : schema;
    return [settingKey(name), orNull.default(kept?.before ?? is.default)];
  });
  return Object.fromEntries(shape);
}
