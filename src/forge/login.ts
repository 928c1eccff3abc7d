/** Finds the token for a host: in the environment, or at the host's own command line tool. A token is only for its host. */
import { tmpdir } from 'node:os';
import { CollabError } from '../errors/collab-error.ts';
import { runCommand } from '../system/run-command.ts';
import { safePath } from '../system/safe-path.ts';
import { isServerOf, type ForgeEnvironment } from './addresses.ts';
import type { ForgeRepository } from './contract.ts';

export interface Login {
  readonly token: string;
  /** The variable or command that has the token, for messages. */
  readonly source: string;
}

export interface LoginPlace {
  readonly env: ForgeEnvironment;
  /** PATH entries below it are not searched for programs; null outside of a repository. */
  readonly repositoryRoot: string | null;
  readonly signal: AbortSignal;
}

/** Returns null without a token. @throws CollabError `auth` for a token that no request can carry */
export async function findForgeLogin(at: ForgeRepository, place: LoginPlace): Promise<Login | null> {
  const [variable] = variablesFor(at, place.env).filter((name) => (place.env[name] ?? '') !== '');
  const found =
    variable === undefined
      ? await askTool(at, place)
      : { token: (place.env[variable] ?? '').trim(), source: variable };
  if (found !== null && !/^[\x21-\x7e]+$/.test(found.token)) {
    throw new CollabError('auth', `the token of ${found.source} has characters that no token has`, {
      hint: 'set it again, without quotation marks and line breaks',
    });
  }
  return found;
}

/** A job's token is for the job's own host; any other token is for the public one, or the one that its tool names. */
function variablesFor({ forge, server }: ForgeRepository, env: ForgeEnvironment): readonly string[] {
  if (forge === 'github') {
    const own = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
    if (isServerOf(own, server)) return ['GH_TOKEN', 'GITHUB_TOKEN'];
    // There, GITHUB_TOKEN is the job's.
    if (server === 'https://github.com') return ['GH_TOKEN'];
    return isServerOf(env['GH_HOST'], server) ? ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] : [];
  }
  const own = env['GITLAB_HOST'] ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com';
  return isServerOf(own, server) ? ['GITLAB_TOKEN', 'GITLAB_ACCESS_TOKEN'] : [];
}

async function askTool(
  { forge, server }: ForgeRepository,
  { env, repositoryRoot, signal }: LoginPlace,
): Promise<Login | null> {
  const { host } = new URL(server);
  const [file, args] =
    forge === 'github'
      ? ['gh', ['auth', 'token', '--hostname', host]]
      : ['glab', ['config', 'get', 'token', '--host', host]];
  const known = toolVariables.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const result = await runCommand({
    file,
    args,
    // Not in the repository: its files must not configure the tool.
    cwd: tmpdir(),
    env: { ...Object.fromEntries(known), PATH: safePath(env, repositoryRoot) },
    maxOutputBytes: 4096,
    timeoutMs: 15_000,
    diesWithUs: true,
    signal,
  });
  const token = result.stdout.trim();
  return result.exitCode === 0 && token !== '' ? { token, source: [file, ...args].join(' ') } : null;
}

/** Variables by which the tools find their configuration and the key ring. */
const toolVariables = [
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'SystemRoot',
  'SYSTEMROOT',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'GH_CONFIG_DIR',
  'GLAB_CONFIG_DIR',
];
