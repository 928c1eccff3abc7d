/** Resolves the program, private folders and environment of one Codex launch. Starts nothing. */
import { CollabError } from '../../../errors/collab-error.ts';
import { pathFolders, thisPlatform, type Platform } from '../../../system/platform.ts';
import type { ProviderEnvironment } from '../../contract/contract.ts';
import { isInside } from '../../../system/is-inside.ts';
import { repositoryOf, type ProgramSearch } from '../../program/program-files.ts';
import { findCodex, findLauncher, platformPackage } from './find-codex.ts';
import { seedFolder, sow } from './home-seed.ts';
import { buildEnvironment } from './launch-profile.ts';
import {
  linkLogin,
  muteSystemNaming,
  openStateFolders,
  userCodexHome,
  type CodexStateFolders,
} from './state-folders.ts';

export interface Layout {
  readonly program: string;
  /** The path that the sandbox must be able to read to start. */
  readonly readable: string;
  readonly folders: CodexStateFolders;
  /** Folder of the seed of CODEX_HOME; it may not exist yet. */
  readonly seed: string;
  /** Folders of PATH outside the repository. */
  readonly path: readonly string[];
  /** Environment of a command in the run's own CODEX_HOME. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** True if there was a login file to link. */
  readonly linked: boolean;
  readonly platform: Platform;
}

export interface LayOutOptions {
  readonly stateFolder: string;
  /** True if CODEX_HOME gets the databases of the seed. */
  readonly withSeed: boolean;
}

/** Creates the layout; a second call reuses it. @throws CollabError `cli_missing`, `state_folder` */
export function layOut(
  { env: userEnv, cwd, settings }: ProviderEnvironment,
  { stateFolder, withSeed }: LayOutOptions,
): Layout {
  const platform = thisPlatform;
  const repository = repositoryOf(cwd);
  const configured = settings['codex.path'] ?? null;
  const wanted = { env: userEnv, repository, configured, platform };
  const codex = findCodex(wanted);
  if (codex === null) throw notFound(wanted);
  const { file: program, readable } = codex;
  const folders = openStateFolders(stateFolder);
  const seed = seedFolder(stateFolder, program);
  if (withSeed) sow(seed, folders.codex);
  const found = pathFolders(userEnv, platform).filter((folder) => !isInside(folder, repository));
  const path = platform.os === 'linux' && found.length > 0 ? [folders.bin, ...found] : found;
  if (platform.os === 'linux') muteSystemNaming(folders);
  const env = buildEnvironment({
    env: userEnv,
    path,
    home: folders.home,
    codexHome: folders.codex,
    platform,
  });
  const linked = linkLogin(userCodexHome(userEnv), folders);
  return { program, readable, folders, seed, path, env, cwd: folders.empty, linked, platform };
}

function notFound(wanted: ProgramSearch): CollabError {
  const { configured, platform } = wanted;
  const launcher = findLauncher(wanted);
  if (launcher !== null) {
    return new CollabError(
      'cli_missing',
      `The Codex at ${launcher} is too old or incomplete: ${platformPackage(platform)} is not installed with it.`,
      { hint: `Update it: ${installCommand}` },
    );
  }
  if (configured !== null) {
    return new CollabError(
      'cli_missing',
      `codex.path names ${configured}, which is not a Codex outside the repository.`,
      {
        hint: 'Correct codex.path, or omit it to use the first codex on PATH.',
      },
    );
  }
  return new CollabError('cli_missing', 'Codex is not installed: there is no `codex` on PATH.', {
    hint: installCommand,
  });
}

const installCommand = 'npm install --global @openai/codex';
