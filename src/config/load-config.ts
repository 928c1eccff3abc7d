import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import { filesOnDisk, type FileSource } from './file-source.ts';
import { defaultSettings, type Settings } from './settings.ts';

export interface LoadOptions {
  readonly cwd: string;
  /** What `--config` names; without it `collab.config.yaml` in the folder or above it, up to the top of the repository. */
  readonly path?: string;
  /** Default: the files on the disk. Of a commit a named file is no less a stranger's: it may have changed since. */
  readonly source?: FileSource;
}

export interface LoadedConfig {
  readonly config: Settings;
  /** Null when there is no file and the defaults hold. */
  readonly path: string | null;
  /** SHA-256 of the settings, as hexadecimal digits. */
  readonly digest: string;
}

/** @throws CollabError `config`, naming file, line and column */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { path: named, source = filesOnDisk } = options;
  const folder = resolve(options.cwd);
  const top = topFolder(folder);
  const found =
    named === undefined
      ? await findConfig(folder, top, source)
      : await readNamed(resolve(folder, named), folder, source);
  const confinedTo = named === undefined || source !== filesOnDisk ? top : null;
  const config = found === null ? defaultSettings : await readSettings(found, confinedTo);
  const digest = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return { config, path: found?.path ?? null, digest };
}

export const configFileName = 'collab.config.yaml';
/** What people write instead; read silently as nothing, each would be a trap. */
const wrongNames = ['collab.config.yml', 'collab.config.json', 'collab.config.js'];
const maxBytes = 256 * 1024;

interface ConfigText {
  readonly path: string;
  /** As the user would write it. */
  readonly name: string;
  readonly text: string;
}

/** The folder with `.git` around us, or our own where there is no repository. */
export function topFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** From the folder up to the top of the repository, and not beyond. */
async function findConfig(folder: string, top: string, source: FileSource): Promise<ConfigText | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, configFileName);
    const name = shortName(path, folder);
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
  const name = shortName(path, folder);
  const text = await source.read(path, name, maxBytes);
  if (text === null) throw new CollabError('config', `${name} does not exist`);
  return { path, name, text };
}

async function readSettings({ path, name, text }: ConfigText, confinedTo: string | null): Promise<Settings> {
  // Behind imports: without a configuration file neither the YAML nor the schema library is needed.
  const [{ checkConfig }, { toSettings }] = await Promise.all([
    import('./check-config.ts'),
    import('./to-settings.ts'),
  ]);
  return toSettings(checkConfig(text, name), { folder: dirname(path), confinedTo });
}

function shortName(file: string, folder: string): string {
  const way = relative(folder, file);
  return way.startsWith('..') ? file : way;
}
