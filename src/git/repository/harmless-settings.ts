/**
 * The few settings of a repository and its user that change what a file's content *is*, and none that names a program.
 * They are copied into the private configuration; everything else in `.git/config` is ignored.
 */
import { devNull } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { pick } from '../../text/pick.ts';
import { isFile, type Repository } from './find-root.ts';
import { refusePipe } from './pipe-watch.ts';
import { gitWords, runGit, type GitCall, type GitEnvironment, type GitResult } from './run-git.ts';

export type GitSettings = ReadonlyMap<string, string>;

interface Reading extends Pick<GitCall, 'env' | 'signal'> {
  /** A folder without a repository. */
  readonly cwd: string;
}

/**
 * Reads the settings with `git config --file`, which opens no repository and runs nothing.
 * @throws CollabError `input`, also if a file of the configuration is a pipe; `cancelled`
 */
export async function readHarmlessSettings(
  { root, commonDir, gitDir }: Repository,
  reading: Reading,
): Promise<GitSettings> {
  const { env } = reading;
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
  for (const file of [...userFiles(env), ...files]) await refusePipe(file, root);
  const call = { ...reading, repositoryRoot: root, limitMs: readingLimitMs };
  const [user, ...own] = await Promise.all([
    readUserSettings(call),
    ...files.map((file) => readFileSettings(file, call)),
  ]);
  const settings = new Map([user, ...own].flatMap((found) => [...found]));
  const ignored = excludesFile(settings.get('core.excludesfile'), env);
  // A repository may name a pipe, for which git would wait.
  settings.set('core.excludesfile', (await isFile(ignored)) ? ignored : devNull);
  refuseUnreadableStorage(settings);
  return settings;
}

const contentKeys =
  'autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks|trustctime|checkstat|excludesfile|sharedrepository|sparsecheckout|sparsecheckoutcone';
/** `branch` and `remote` for names like `main@{upstream}`; nothing is ever fetched. */
const repositoryKeys = `^(core\\.(${contentKeys})|extensions\\.(objectformat|refstorage)|branch\\..*\\.(remote|merge)|remote\\..*\\.fetch)$`;
const userKeys = '^core\\.(autocrlf|eol|excludesfile)$';

const userConfigVariables = [
  'HOME',
  'XDG_CONFIG_HOME',
  'USERPROFILE',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
];

/** Git itself would wait forever for a pipe that the configuration includes. */
const readingLimitMs = 20_000;

/** Lists the files that git reads for any repository of the user; the name of the system's file is known only to git. */
function userFiles(env: GitEnvironment): readonly string[] {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const folder = env['XDG_CONFIG_HOME'] ?? '';
  const own = home === '' ? [] : [join(home, '.gitconfig')];
  const shared = folder !== '' ? [folder] : home === '' ? [] : [join(home, '.config')];
  const { GIT_CONFIG_GLOBAL: named = '', GIT_CONFIG_SYSTEM: system = '' } = env;
  const global = named === '' ? [...own, ...shared.map((at) => join(at, 'git', 'config'))] : [named];
  return [...global, system].filter((file) => isAbsolute(file));
}

type SettingsCall = Omit<GitCall, 'args' | 'variables'>;

async function readFileSettings(file: string, call: SettingsCall): Promise<GitSettings> {
  if (!(await isFile(file))) return new Map();
  const args = ['config', '--file', file, '-z', '--get-regexp', repositoryKeys];
  return parseSettings(await runGit({ ...call, args, variables: {} }));
}

/** Reads the system and global configuration, which are the user's own. */
async function readUserSettings(call: SettingsCall): Promise<GitSettings> {
  const variables = { ...pick(call.env, userConfigVariables), GIT_DIR: join(call.cwd, 'none') };
  return parseSettings(
    await runGit({ ...call, args: ['config', '-z', '--get-regexp', userKeys], variables }),
  );
}

/** Parses `key\nvalue\0`; a key without a value is a switch that is on. */
export function parseSettings(result: GitResult): GitSettings {
  if (result.exitCode !== 0 && result.exitCode !== 1) {
    throw new CollabError('input', `the git configuration cannot be read: ${gitWords(result)}`);
  }
  const entries = result.stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

function excludesFile(configured: string | undefined, env: GitEnvironment): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '/nonexistent';
  if (configured === undefined) return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'ignore');
  if (configured.startsWith('~/')) return join(home, configured.slice(2));
  return isAbsolute(configured) ? configured : join(home, configured);
}

function refuseUnreadableStorage(settings: GitSettings): void {
  const storage = settings.get('extensions.refstorage');
  if (storage === undefined || storage === 'files') return;
  throw new CollabError('input', `this repository stores its refs as "${storage}", which is not supported`, {
    hint: 'Pipe the change instead: git diff main...HEAD | collab review -',
  });
}
