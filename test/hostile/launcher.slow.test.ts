/**
 * A raw clone used as a plugin, in a repository whose author wants to choose what the launcher starts. Real `npm` and `npx`,
 * two registries on loopback: the user's, which has the package, and the repository's.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startRegistryServer, type RegistryServer } from '../runner/registry-server.ts';

const repository = join(import.meta.dirname, '../..');
const manifest = { name: 'codex-collab', version: packageJson.version };

/** The folders of node and npm; git is beside them or in the system's folders. */
const systemPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];

let packed: string;
let users: RegistryServer;
let root: string;
let clone: string;
let theirs: RegistryServer;

beforeAll(async () => {
  packed = realpathSync(mkdtempSync(join(tmpdir(), 'collab-registry-')));
  makePackage(join(packed, 'honest'), 'console.log(`honest in ${process.cwd()}: ${process.argv.slice(2)}`);');
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: join(packed, 'honest') });
  const tarball = join(packed, `${manifest.name}-${manifest.version}.tgz`);
  const described = { ...manifest, bin: { collab: 'bin/collab' } };
  users = await startRegistryServer([{ manifest: described, tarball }]);
});

afterAll(async () => {
  await users.close();
  rmSync(packed, { recursive: true, force: true });
});

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-launcher-')));
  theirs = await startRegistryServer([]);
  for (const path of ['bin', 'package.json', '.claude-plugin', 'src/version.ts']) {
    cpSync(join(repository, path), join(root, 'plugin', path), { recursive: true });
  }
  write('home/.npmrc', `registry=${users.url}/\nupdate-notifier=false\n`);
  mkdirSync(join(root, 'tmp'));
  clone = join(root, 'clone');
  git('init', '--quiet', clone);
  makePackage(join(clone, 'node_modules/codex-collab'), attack('committed package'));
  program('clone/node_modules/.bin/collab', 'committed collab');
  program('clone/node_modules/.bin/npx', 'committed npx');
  write('clone/.npmrc', `registry=${theirs.url}/\n`);
  write(
    'clone/package.json',
    JSON.stringify({
      ...manifest,
      bin: { collab: 'evil.mjs' },
      workspaces: ['*', 'node_modules/codex-collab'],
      overrides: { 'codex-collab': 'file:./node_modules/codex-collab' },
      scripts: { review: 'node "$LAUNCHER" review' },
    }),
  );
  write('clone/evil.mjs', attack('bin of the project'));
  write('clone/src/deep/file.ts', 'export const one = 1;\n');
});

afterEach(async () => {
  await theirs.close();
  rmSync(root, { recursive: true, force: true });
});

test.each(['.', 'src/deep', 'node_modules/codex-collab', 'node_modules/.bin'])(
  'nothing of the clone is started from its folder %s',
  async (folder) => {
    expect(await collab({ cwd: join(clone, folder) })).toEqual(honestIn(join(clone, folder)));
  },
);

test.each([
  ['a relative entry', () => ['node_modules/.bin']],
  ['an empty entry', () => ['']],
  ['an absolute entry, as npm run makes it', () => [join(clone, 'node_modules/.bin')]],
  ['an entry with dots', () => [join(root, 'home/../clone/node_modules/.bin')]],
  ['an entry that is a link into the clone', () => [link('elsewhere', 'clone/node_modules/.bin')]],
  [
    'an entry whose programs are links into the clone',
    () => [
      dirname(link('linked/collab', 'clone/node_modules/.bin/collab')),
      dirname(link('linked2/npx', 'clone/node_modules/.bin/npx')),
    ],
  ],
  ['the folder of the package, as npm makes it on Windows', () => [clone]],
  [
    'a link to the command of the committed package',
    () => [dirname(link('bin/collab', 'clone/node_modules/codex-collab/bin/collab'))],
  ],
])('PATH begins with %s', async (_, entries) => {
  program('clone/collab', 'collab in the folder');
  program('clone/npx', 'npx in the folder');
  expect(await collab({ path: entries() })).toEqual(honestIn(clone));
});

test('a version manager on PATH that prefers the package of the working folder does not see the clone', async () => {
  const shim = `[ -f node_modules/codex-collab/bin/collab ] && exec node node_modules/codex-collab/bin/collab "$@"; exit 1`;
  script('shims/collab', shim);
  expect(await collab({ path: [join(root, 'shims')] })).toEqual(honestIn(clone));
});

test('a program on PATH that names a bundle in the clone is not believed', async () => {
  const bundle = join(clone, 'node_modules/codex-collab/dist/main.js');
  script('shims/collab', `echo '${JSON.stringify({ version: manifest.version, bundle })}'`);
  expect(await collab({ path: [join(root, 'shims')] })).toEqual(honestIn(clone));
});

test('a package on PATH whose bundle is a link into the clone is not taken', async () => {
  makePackage(join(root, 'other'), '');
  rmSync(join(root, 'other/dist/main.js'));
  link('other/dist/main.js', 'clone/node_modules/codex-collab/dist/main.js');
  expect(await collab({ path: [join(root, 'other/bin')] })).toEqual(honestIn(clone));
});

test('an installed collab of another version is passed over for the right one, not for that of the clone', async () => {
  makePackage(join(root, 'old'), attack('old version'), '0.0.1');
  expect(await collab({ path: [join(root, 'old/bin'), join(clone, 'node_modules/.bin')] })).toEqual(
    honestIn(clone),
  );
});

test.each([
  ['its user configuration', () => ({ NPM_CONFIG_USERCONFIG: join(clone, '.npmrc') })],
  ['its global configuration', () => ({ npm_config_globalconfig: join(clone, '.npmrc') })],
  ['its prefix', () => ({ npm_config_prefix: clone, PREFIX: clone })],
  ['its cache', () => ({ npm_config_cache: join(clone, 'cache') })],
  ['HOME', () => ({ HOME: clone, NPM_CONFIG_USERCONFIG: join(root, 'home/.npmrc') })],
  ['its folder for temporary files', () => ({ TMPDIR: join(clone, 'src') })],
  ['its modules', () => ({ NODE_PATH: join(clone, 'node_modules') })],
  ['its shell', () => ({ npm_config_script_shell: join(clone, 'node_modules/.bin/npx') })],
])('npm is told by the environment to take %s from the clone', async (_, env) => {
  expect(await collab({ env: env() })).toEqual(honestIn(clone));
});

test('the folder for temporary files lies in a project of another user', async () => {
  write('tmp/package.json', JSON.stringify({ workspaces: ['*'], ...manifest, bin: { collab: 'evil.mjs' } }));
  write('tmp/evil.mjs', attack('project around the temporary folder'));
  write('tmp/.npmrc', `registry=${theirs.url}/\n`);
  expect(await collab({})).toEqual(honestIn(clone));
});

test.each([
  ['node options', () => `node-options=--require=${join(clone, 'evil.cjs')}`],
  ['a shell for scripts', () => `script-shell=${join(clone, 'node_modules/.bin/npx')}`],
  ['another git', () => `git=${join(clone, 'node_modules/.bin/npx')}`],
  [
    'another prefix, cache and global configuration',
    () => `prefix=${clone}\ncache=${clone}/cache\nglobalconfig=${clone}/.npmrc2`,
  ],
  [
    'a registry for the scope of nobody, and one for all',
    () => `@*:registry=${theirs.url}/\nregistry=${theirs.url}/`,
  ],
  [
    'workspaces and a place of modules',
    () => 'workspaces=true\ninclude-workspace-root=true\ninstall-strategy=linked',
  ],
  [
    'leave to run scripts, without asking',
    () => 'ignore-scripts=false\nyes=true\nforeground-scripts=true\npackage-lock-only=false',
  ],
])('the .npmrc of the clone names %s', async (_, lines) => {
  write(
    'clone/evil.cjs',
    `require('node:fs').appendFileSync(${JSON.stringify(join(root, 'executed'))}, 'required\\n');`,
  );
  for (const folder of ['clone', 'clone/src', 'clone/src/deep']) write(`${folder}/.npmrc`, `${lines()}\n`);
  expect(await collab({ cwd: join(clone, 'src/deep') })).toEqual(honestIn(join(clone, 'src/deep')));
});

test.each([
  ['a version of node', { '.nvmrc': '0.10', '.node-version': '0.10', '.tool-versions': 'nodejs 0.10' }],
  [
    'another manager of packages',
    {
      '.yarnrc.yml': 'yarnPath: ./evil.cjs\n',
      '.pnpmfile.cjs': 'process.exit(9)',
      'bunfig.toml': 'preload = ["./evil.mjs"]',
    },
  ],
  [
    'modules that are loaded by name',
    { 'node_modules/npm/index.js': 'process.exit(9)', 'node_modules/node/bin/node': '#!/bin/sh\nexit 9\n' },
  ],
  [
    'a lock with its own place of the package',
    {
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { 'node_modules/codex-collab': { resolved: 'file:evil.tgz', link: true } },
      }),
    },
  ],
])('the clone holds %s', async (_, files) => {
  for (const [path, text] of Object.entries(files)) write(join('clone', path), text, 0o755);
  expect(await collab({})).toEqual(honestIn(clone));
});

test('npm run in the clone hands on settings of its .npmrc, which are not taken', async () => {
  const env = environment({ LAUNCHER: join(root, 'plugin/bin/collab') });
  const ran = await execa('npm', ['run', '--silent', 'review'], { cwd: clone, env, ...plain });
  expect(whatHappened(ran)).toEqual(honestIn(clone));
});

test('a folder of the clone that looks like a bare repository does not hide the clone around it', async () => {
  for (const name of ['objects/x', 'refs/x']) write(`clone/bare/${name}`, '');
  write('clone/bare/HEAD', 'ref: refs/heads/main\n');
  expect(await collab({ cwd: join(clone, 'bare'), path: [join(clone, 'node_modules/.bin')] })).toEqual(
    honestIn(join(clone, 'bare')),
  );
});

test('a bare repository may hold a package too', async () => {
  const bare = join(root, 'bare.git');
  git('init', '--quiet', '--bare', bare);
  cpSync(clone, bare, { recursive: true, filter: (path) => !path.endsWith('.git') });
  expect(await collab({ cwd: bare, path: [join(bare, 'node_modules/.bin')] })).toEqual(honestIn(bare));
});

test('in a linked working tree and in a submodule the repository around it is foreign as well', async () => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  git('-C', clone, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'base');
  git('-C', clone, 'worktree', 'add', '--quiet', join(root, 'linked'));
  const path = [join(clone, 'node_modules/.bin')];
  expect(await collab({ cwd: join(root, 'linked'), path })).toEqual(honestIn(join(root, 'linked')));
  write('clone/.git/modules/sub/HEAD', 'ref: refs/heads/main\n');
  write('clone/sub/.git', 'gitdir: ../.git/modules/sub\n');
  expect(await collab({ cwd: join(clone, 'sub'), path })).toEqual(honestIn(join(clone, 'sub')));
});

test.each([
  ['GIT_DIR', () => ({ GIT_DIR: join(clone, '.git') })],
  ['GIT_WORK_TREE', () => ({ GIT_WORK_TREE: clone })],
])('the repository under review is named by %s, from another folder', async (_, env) => {
  expect(
    await collab({ cwd: join(root, 'tmp'), env: env(), path: [join(clone, 'node_modules/.bin')] }),
  ).toEqual(honestIn(join(root, 'tmp')));
});

test('without any other collab it says what it did not use', async () => {
  rmSync(join(root, 'home/.npmrc'));
  const env = { NPM_CONFIG_REGISTRY: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  const path = [join(clone, 'node_modules/.bin')];
  const passedOver = `not used, it belongs to the repository under review: ${join(clone, 'node_modules/.bin/collab')}`;
  expect(await collab({ path, env })).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringContaining(passedOver),
    executed: '',
    askedOfTheirs: [],
  });
});

interface Call {
  readonly cwd?: string;
  /** Entries before those of the system. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const plain = { extendEnv: false, reject: false, input: '' } as const;

/** The package of the user's registry runs, in the caller's folder and with the caller's arguments, and nothing else. */
function honestIn(folder: string) {
  return { exitCode: 0, stdout: `honest in ${folder}: review`, stderr: '', executed: '', askedOfTheirs: [] };
}

async function collab({ cwd = clone, path = [], env = {} }: Call) {
  const PATH = [...path, ...systemPath].join(delimiter);
  const settings = { cwd, env: environment({ PATH, ...env }), ...plain };
  return whatHappened(await execa(process.execPath, [join(root, 'plugin/bin/collab'), 'review'], settings));
}

function whatHappened(ran: { readonly exitCode?: number; readonly stdout: string; readonly stderr: string }) {
  const trace = join(root, 'executed');
  return {
    exitCode: ran.exitCode,
    stdout: ran.stdout,
    stderr: ran.stderr,
    executed: existsSync(trace) ? readFileSync(trace, 'utf8') : '',
    askedOfTheirs: theirs.asked(),
  };
}

function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const home = join(root, 'home');
  return {
    PATH: systemPath.join(delimiter),
    HOME: home,
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    ...more,
  };
}

/** A whole package: the real launcher, and a bundle of one statement. */
function makePackage(folder: string, statement: string, version: string = manifest.version): void {
  for (const path of ['bin', 'dist']) mkdirSync(join(folder, path), { recursive: true });
  const described = { ...manifest, version, type: 'module', bin: { collab: 'bin/collab' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described));
  writeFileSync(join(folder, 'dist/main.js'), statement);
  cpSync(join(repository, 'bin/collab'), join(folder, 'bin/collab'));
}

/** A statement of JavaScript that leaves a trace. */
function attack(name: string): string {
  const file = JSON.stringify(join(root, 'executed'));
  return `import { appendFileSync } from 'node:fs'; appendFileSync(${file}, '${name}\\n');`;
}

function program(path: string, name: string): void {
  script(path, `echo '${name}' >> '${join(root, 'executed')}'`);
}

function script(path: string, text: string): void {
  write(path, `#!/bin/sh\n${text}\n`, 0o755);
}

function link(path: string, target: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(join(root, target), join(root, path));
  return join(root, path);
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { mode });
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { stdio: 'pipe' });
}
