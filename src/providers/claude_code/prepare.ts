/** Prepares every use of Claude Code: the program, its environment, the login. */
import { CollabError } from '../../errors/collab-error.ts';
import { readAddress } from '../api/base-url.ts';
import { thisPlatform } from '../../system/platform.ts';
import { askVersion } from '../program/ask-version.ts';
import type { ProviderEnvironment } from '../contract/contract.ts';
import { repositoryOf } from '../program/program-files.ts';
import { buildEnvironment } from './environment.ts';
import { findClaude } from './find-claude.ts';
import { howToInstallClaude } from './package-of-claude.ts';
import { readLogin, type ClaudeLogin } from './login.ts';

export interface PreparedClaude {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly baseUrl: string | null;
  readonly login: ClaudeLogin;
  /** The version of the program; null if it reports none. */
  readonly version: string | null;
}

/**
 * @param cwd a folder without a project
 * @throws CollabError `cli_missing`, `auth`, `options`
 */
export async function prepare(environment: ProviderEnvironment, cwd: string): Promise<PreparedClaude> {
  const { env: userEnv, settings, signal } = environment;
  const configured = settings['claude_code.path'] ?? null;
  const written = settings['claude_code.base_url'];
  const baseUrl = written === undefined ? null : readAddress(written, 'providers.claude_code.base_url').text;
  const repository = repositoryOf(environment.cwd);
  const program = findClaude({ env: userEnv, repository, configured, platform: thisPlatform });
  if (program === null) throw notFound(configured);
  const env = buildEnvironment({ env: userEnv, baseUrl, platform: thisPlatform });
  const [login, version] = await Promise.all([
    readLogin({ program, env, cwd, signal }),
    askVersion({ program, env, cwd, signal }),
  ]);
  return { program, env, baseUrl, login, version };
}

function notFound(configured: string | null): CollabError {
  if (configured !== null) {
    const message = `claude_code.path names ${configured}, which is not Claude Code outside the repository.`;
    return new CollabError('cli_missing', message, {
      hint: 'Correct claude_code.path, or omit it to use the first claude on PATH.',
    });
  }
  return new CollabError('cli_missing', 'Claude Code is not installed: there is no `claude` on PATH.', {
    hint: howToInstallClaude().command,
  });
}
