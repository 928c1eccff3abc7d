import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import { defaultSettings, type Settings } from './settings.ts';

export interface LoadOptions {
  readonly cwd: string;
  /** What `--config` names; without it `collab.config.yaml` in the folder or above it, up to the top of the repository. */
  readonly path?: string;
}

export interface LoadedConfig {
  readonly config: Settings;
  /** Null when there is no file and the defaults hold. */
  readonly path: string | null;
  /** SHA-256 of the settings, as hexadecimal digits. */
  readonly digest: string;
}

/** @throws CollabError `config`, naming file, line and column */
export async function loadConfig({ cwd, path }: LoadOptions): Promise<LoadedConfig> {
  const folder = resolve(cwd);
  const top = topFolder(folder);
  const found = path === undefined ? findConfig(folder, top) : resolve(folder, path);
  const confinedTo = path === undefined ? top : null;
  const config =
    found === null ? defaultSettings : await readSettings(found, shortName(found, folder), confinedTo);
  const digest = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return { config, path: found, digest };
}

const fileName = 'collab.config.yaml';
/** What people write instead; read silently as nothing, each would be a trap. */
const wrongNames = ['collab.config.yml', 'collab.config.json', 'collab.config.js'];
const maxBytes = 256 * 1024;

/** The folder with `.git` around us, or our own where there is no repository. */
function topFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** From the folder up to the top of the repository, and not beyond. */
function findConfig(folder: string, top: string): string | null {
  const file = join(folder, fileName);
  if (existsSync(file)) return file;
  const wrong = wrongNames.find((name) => existsSync(join(folder, name)));
  if (wrong !== undefined) {
    throw new CollabError('config', `${join(folder, wrong)} is not read`, { hint: `Name it ${fileName}` });
  }
  return folder === top ? null : findConfig(dirname(folder), top);
}

async function readSettings(file: string, name: string, confinedTo: string | null): Promise<Settings> {
  const text = await readText(file, name);
  // Behind imports: without a configuration file neither the YAML nor the schema library is needed.
  const [{ checkConfig }, { toSettings }] = await Promise.all([
    import('./check-config.ts'),
    import('./to-settings.ts'),
  ]);
  return toSettings(checkConfig(text, name), { folder: dirname(file), confinedTo });
}

async function readText(file: string, name: string): Promise<string> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new CollabError('config', `${name} does not exist`, { cause });
  });
  if (!found.isFile()) throw new CollabError('config', `${name} is not a file`);
  if (found.size > maxBytes) throw new CollabError('config', `${name} is larger than 256 KiB`);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CollabError('config', `${name} cannot be read`, { cause });
  });
}

/** As the user would write it. */
function shortName(file: string, folder: string): string {
  const way = relative(folder, file);
  return way.startsWith('..') ? file : way;
}
