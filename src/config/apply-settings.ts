/** Merges written values into settings. The values in a file and in a request become settings only here. */
import { resolve } from 'node:path';
import { settingKey, settingRow, settingsFrom, type Settings, type SettingWords } from './settings-table.ts';
import { readLimits } from './structures.ts';

export interface WordsPlace {
  /** Returns the absolute path that a text names; `at` is the place of the text among the values. */
  readonly pathOf: (text: string, at: readonly PropertyKey[]) => string;
  /** True for a request, false for a file: some lists are replaced only by a file. */
  readonly isRequest: boolean;
}

/** The place of a request: its paths are relative to the folder in which it is made. */
export function requestIn(cwd: string): WordsPlace {
  return { isRequest: true, pathOf: (path) => resolve(cwd, path) };
}

/** @throws CollabError from `pathOf` */
export function applySettings(
  base: Settings,
  words: SettingWords,
  { pathOf, isRequest }: WordsPlace,
): Settings {
  const limits = readLimits(words.limits ?? {}, base.limits);
  return settingsFrom((name) => {
    const written = words[name];
    const before = base[settingKey(name)];
    if (written === undefined) return before;
    const { is, adds } = settingRow(name);
    const context = {
      before,
      limits,
      pathOf: (text: string, ...at: readonly PropertyKey[]) => pathOf(text, [name, ...at]),
    };
    const value = is.read(written, context);
    const isAdded = adds === 'always' || (adds === 'by request' && isRequest);
    return isAdded ? [...listOf(before), ...listOf(value)] : value;
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
