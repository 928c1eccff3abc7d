/** Everything that must be known before Codex is started: its program, the user's settings, the login, private folders. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { pathFolders, thisPlatform, type Platform } from '../../process/platform.ts';
import { runCommand } from '../../process/run-command.ts';
import type { ProviderEnvironment } from '../contract.ts';
import { isInside, repositoryOf } from '../program-files.ts';
import { findCodex } from './find-codex.ts';
import { seedFolder, sow } from './home-seed.ts';
import { buildEnvironment } from './launch-profile.ts';
import { findLogin, type Login } from './login.ts';
import { readUserSettings, type UserSettings } from './read-user-settings.ts';
import { probeSandbox, type SandboxProbe } from './sandbox-probe.ts';
import { linkLogin, openStateFolders, userCodexHome, type StateFolders } from './state-folders.ts';

/** What holds for every run of this user here. To learn it takes processes of Codex. */
export interface UserFacts {
  readonly settings: UserSettings;
  readonly login: Login;
}

export interface Prepared extends UserFacts {
  readonly program: string;
  /** What the sandbox must be able to read to start. */
  readonly readable: string;
  readonly folders: StateFolders;
  /** Where the seed of CODEX_HOME lies, or is to lie. */
  readonly seed: string;
  /** Null where it was not asked for. */
  readonly sandbox: SandboxProbe | null;
  /** Folders of PATH outside the repository. */
  readonly path: readonly string[];
  /** For a command in the run's own CODEX_HOME. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  version(): Promise<string | null>;
}

export interface PrepareOptions {
  readonly stateFolder: string;
  /** For the short server that reads the user's settings. */
  readonly timeoutMs: number;
  /** Whether to try the sandbox. */
  readonly withSandbox: boolean;
  /** Whether CODEX_HOME gets the databases of the seed. */
  readonly withSeed?: boolean;
  /** What was learned a moment ago. */
  readonly known?: Promise<UserFacts> | null;
}

/** @throws CollabError `cli_missing`, `auth`, `options`, `state_folder` */
export async function prepare(
  environment: ProviderEnvironment,
  { stateFolder, timeoutMs, withSandbox, withSeed = false, known = null }: PrepareOptions,
): Promise<Prepared> {
  const { env: userEnv, signal } = environment;
  const platform = thisPlatform;
  const repository = repositoryOf(environment.cwd);
  const configured = environment.settings['codex.path'] ?? null;
  const found = findCodex({ env: userEnv, repository, configured, platform });
  if (found === null) throw notFound(configured);
  const { file: program, readable } = found;
  const folders = openStateFolders(stateFolder);
  const seed = seedFolder(stateFolder, program);
  if (withSeed) sow(seed, folders.codex);
  const path = pathFolders(userEnv, platform).filter((folder) => !isInside(folder, repository));
  const env = buildEnvironment({
    env: userEnv,
    path,
    home: folders.home,
    codexHome: folders.codex,
    platform,
  });
  const cwd = folders.empty;
  const linked = linkLogin(userCodexHome(userEnv), folders);
  const learn = async (): Promise<UserFacts> => {
    const settings = await readUserSettings({
      program,
      env: userEnv,
      path,
      cwd,
      platform,
      timeoutMs,
      signal,
    });
    return { settings, login: await findLogin({ settings, userEnv, program, env, cwd, linked, signal }) };
  };
  // Side by side: each starts a process of its own, and a run waits for both.
  const [{ settings, login }, sandbox] = await Promise.all([
    known ?? learn(),
    withSandbox ? probeSandbox({ program, env, cwd, signal }) : null,
  ]);
  const version = async () => packagedVersion(readable) ?? readVersion({ program, env, cwd, signal });
  return {
    program,
    readable,
    folders,
    seed,
    settings,
    login,
    sandbox,
    path,
    env,
    cwd,
    platform,
    signal,
    version,
  };
}

function notFound(configured: string | null): CollabError {
  if (configured !== null) {
    return new CollabError(
      'cli_missing',
      `codex.path names ${configured}, which is no Codex outside the repository.`,
      {
        hint: 'Correct codex.path, or leave it out: then the first codex on PATH is taken.',
      },
    );
  }
  return new CollabError('cli_missing', 'Codex is not installed: there is no `codex` on PATH.', {
    hint: 'npm install --global @openai/codex',
  });
}

const packageSchema = z.looseObject({ version: z.string() });

/** As Codex's own package says it (0.169); null where the program lies in none. */
function packagedVersion(readable: string): string | null {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(readable, 'codex-package.json'), 'utf8')))
      .version;
  } catch {
    return null;
  }
}

async function readVersion(
  options: Pick<Prepared, 'program' | 'env' | 'cwd' | 'signal'>,
): Promise<string | null> {
  const result = await runCommand({
    file: options.program,
    args: ['--version'],
    cwd: options.cwd,
    env: options.env,
    maxOutputBytes: 4096,
    timeoutMs: 15_000,
    signal: options.signal,
  });
  return /(\d+\.\d+\.\d+\S*)/.exec(result.stdout)?.[1] ?? null;
}
