import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { owner, repository } from '../access/speaker.ts';
import { CollabError } from '../errors/collab-error.ts';
import { filesOnDisk, type FileSource } from './file-source.ts';
import { leavesFolder } from './folder-bounds.ts';
import type { ConfigPlace, FileSettings } from './file-settings.ts';
import type { ReportTarget } from './settings.ts';
import { defaultSettings, type SettingName, type Settings } from './settings-table.ts';
import { userConfigFile } from './user-config.ts';
import { pathWithin } from '../system/is-inside.ts';
import type { Globs } from '../review/census/selection.ts';

export interface LoadOptions {
  readonly cwd: string;
  /** Contains the owner's home, which holds the owner's own configuration; without it there is none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The value of `--config`. Default: `collab.config.yaml` in the folder or above it, up to the repository's top folder. */
  readonly path?: string;
  /** Keys that the owner has set with a flag. */
  readonly said?: readonly string[];
  /** The keys of the file that count; default: all. */
  readonly only?: readonly SettingName[];
  /** Default: the files on the disk. A file of a commit is foreign even if the owner named it: it may have changed since. */
  readonly source?: FileSource;
}

export interface LoadedConfig {
  readonly config: Settings;
  /** `null` if there is no file and the defaults apply. */
  readonly path: string | null;
  /** SHA-256 of the settings, in hexadecimal digits. */
  readonly digest: string;
  /** The owner's own file, which this one overrides; null if there is none. */
  readonly userFile: string | null;
  /** Keys of a repository file that were ignored because they raise a limit. */
  readonly raised: readonly string[];
  /** All keys that the file itself sets. */
  readonly keys: readonly string[];
  /** Reports requested by a repository file, which must not overwrite existing files. */
  readonly foreignReports: readonly ReportTarget[];
  /** The globs of the file itself, and those of the owner's own file; `config` has both. */
  readonly globs: { readonly ofFile: Globs; readonly ofOwner: Globs };
}

/** Loads the configuration. @throws CollabError `config`, with file, line and column */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { path: named, source = filesOnDisk } = options;
  const folder = resolve(options.cwd);
  const top = topFolder(folder);
  const found =
    named === undefined
      ? await findConfig(folder, top, source)
      : await readNamed(resolve(folder, named), folder, source);
  const speaker = named === undefined || source !== filesOnDisk ? repository : owner;
  const own = await readUserConfig(options.env ?? {}, top);
  const said = new Set([...(options.said ?? []), ...own.keys]);
  const read =
    found === null ? null : await readSettings(found, { speaker, top, ...own, said, only: options.only });
  const config = read?.config ?? own.base;
  const digest = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return {
    config,
    path: found?.path ?? null,
    digest,
    userFile: own.keys.length === 0 ? null : own.userFile,
    raised: read?.raised ?? [],
    keys: read?.keys ?? [],
    foreignReports: speaker === repository ? (read?.reports ?? []) : [],
    globs: {
      ofFile: read?.globs ?? { include: [], exclude: [] },
      ofOwner: { include: own.base.include, exclude: own.base.exclude },
    },
  };
}

interface UserConfig {
  /** The settings that every other file overrides. */
  readonly base: Settings;
  /** Its path, whether or not it exists; null without a home. */
  readonly userFile: string | null;
  /** The keys that it sets. */
  readonly keys: readonly string[];
}

/** A file below the repository under review is not the owner's, even if the environment puts the home there. */
async function readUserConfig(env: NonNullable<LoadOptions['env']>, top: string): Promise<UserConfig> {
  const path = userConfigFile(env, configFileName);
  const isForeign = path !== null && existsSync(join(top, '.git')) && !leavesFolder(path, top);
  if (path === null || isForeign) return { base: defaultSettings, userFile: null, keys: [] };
  const text = await filesOnDisk.read(path, path, maxBytes);
  if (text === null) return { base: defaultSettings, userFile: path, keys: [] };
  const place = { speaker: owner, top, base: defaultSettings, userFile: path, said: new Set<string>() };
  const { config: base, keys } = await readSettings({ path, name: path, text }, place);
  return { base, userFile: path, keys };
}

export const configFileName = 'collab.config.yaml';
/** Names that users write by mistake; ignoring such a file silently would hide the mistake. */
const wrongNames = ['collab.config.yml', 'collab.config.json', 'collab.config.js'];
const maxBytes = 256 * 1024;

interface ConfigText {
  readonly path: string;
  /** The file name as the user would write it. */
  readonly name: string;
  readonly text: string;
}

/** Returns the closest folder above that has a `.git`, or the given one if there is no repository. */
export function topFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Returns the name that a grant uses: the repository's folder, or the given folder if there is no repository. */
export function repositoryName(cwd: string): string {
  return basename(topFolder(resolve(cwd)));
}

/** Looks in the folder and above it, up to the top of the repository. */
async function findConfig(folder: string, top: string, source: FileSource): Promise<ConfigText | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, configFileName);
    const name = pathWithin(path, folder);
    const text = await source.read(path, name, maxBytes);
    if (text !== null) return { path, name, text };
    for (const wrong of wrongNames) {
      if ((await source.read(join(at, wrong), wrong, maxBytes)) === null) continue;
      throw new CollabError('config', `${join(at, wrong)} is not read`, {
        hint: `Name it ${configFileName}`,
      });
    }
    if (at === top) return null;
  }
}

async function readNamed(path: string, folder: string, source: FileSource): Promise<ConfigText> {
  const name = pathWithin(path, folder);
  const text = await source.read(path, name, maxBytes);
  if (text === null) throw new CollabError('config', `${name} does not exist`);
  return { path, name, text };
}

async function readSettings(
  { path, name, text }: ConfigText,
  place: Omit<ConfigPlace, 'folder' | 'name'>,
): Promise<FileSettings> {
  // Imported only here: without a configuration file neither the YAML nor the schema library is loaded.
  const [{ checkConfig }, { fileSettings }] = await Promise.all([
    import('./check-config.ts'),
    import('./file-settings.ts'),
  ]);
  return fileSettings(checkConfig(text, name), { ...place, folder: dirname(path), name });
}
