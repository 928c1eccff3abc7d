/**
 * A setting only needs a row of the table to be in the file, the flags, the fields, the input of a run and `collab
 * init`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { rows } from '../../src/access/permissions.ts';
import { readCommand } from '../../src/cli/program.ts';
import { renderInitialConfig } from '../../src/cli/setup/init-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  defaultSettings,
  isKept,
  settingKey,
  requestDeed,
  settingNames,
  settingRow,
  flagSettings,
  type SettingName,
} from '../../src/config/settings-table.ts';
import { reviewSettingsSchema } from '../../src/runs/folder/run-input.ts';
import { startSettings } from '../../src/runs/folder/run-settings.ts';
import { runFieldsSchema } from '../../src/server/routes/run-fields.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';
import { sampleOf } from './setting-samples.ts';

test.each(settingNames)('%s is read from a file, and nothing else changes', async (name) => {
  const config = await configWith(name);
  const changed = settingNames.filter(
    (one) => !equal(config[settingKey(one)], defaultSettings[settingKey(one)]),
  );
  expect(changed).toEqual([name]);
});

test.each(settingNames)('%s is kept by a run only if its row says so', async (name) => {
  const kept = reviewSettingsSchema.parse(startSettings(await configWith(name)));
  const usual = reviewSettingsSchema.parse(startSettings(defaultSettings));
  expect(equal(kept, usual)).toBe(!isKept(name));
});

test.each(settingNames)('%s has the flags that its row names, which set it in a request', (name) => {
  const { written, flags } = sampleOf(name);
  const lines = { review: ['review'], run: ['run', 'x'], consult: ['consult', 'design', '--file', 'x'] };
  for (const command of ['review', 'run', 'consult'] as const) {
    const request = new Map(Object.entries(requestOf([...lines[command], ...flags])));
    expect(request.get(name)).toEqual(flagSettings(command).includes(name) ? written : undefined);
  }
});

test.each(settingNames)('%s is a field of the same requests, except for a path', (name) => {
  const { written } = sampleOf(name);
  const isPath = requestDeed(name) === 'name a path';
  for (const command of ['review', 'run'] as const) {
    const fields = { kind: command, ...(command === 'run' ? { task: 'x' } : {}), [name]: written };
    expect(runFieldsSchema.safeParse(fields).success).toBe(flagSettings(command).includes(name) && !isPath);
  }
});

test('the file of collab init has exactly the settings that a file of the repository may set', () => {
  const listed = [...renderInitialConfig().matchAll(/^# ([a-z_]+): /gm)].map(([, name]) => name);
  const foreign = new Set(['advisor', 'lead', 'provider_paths', 'providers']);
  expect(listed).toEqual(settingNames.filter((name) => !foreign.has(name)));
});

test('every setting has an action in the table of permissions', () => {
  expect(settingNames.filter((name) => !Object.hasOwn(rows, settingRow(name).deed))).toEqual([]);
});

test('a setting that the input of an older run lacks gets the value in its row', () => {
  const { instructions, ...settings } = reviewSettingsSchema.parse({ instructions: null });
  const expected = settingNames.filter(isKept).map((name) => {
    const { kept, is } = settingRow(name);
    return [settingKey(name), kept?.before ?? is.default];
  });
  expect([instructions, settings]).toEqual([null, Object.fromEntries(expected)]);
});

/** Returns an empty request for a line with an unknown flag. */
function requestOf(words: readonly string[]): object {
  try {
    return readCommand(words)?.starts?.request ?? {};
  } catch (error) {
    if (error instanceof CommanderError) return {};
    throw error;
  }
}

async function configWith(name: SettingName) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'own.yaml'), stringify({ [name]: sampleOf(name).written }));
  return (await loadConfig({ cwd, path: 'own.yaml' })).config;
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
