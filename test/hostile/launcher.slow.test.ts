/** A raw clone used as a plugin, in a repository whose author tries to choose the program that the launcher starts. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { makePackage, manifest, repository, useHostileClone } from './hostile-clone.ts';

const world = useHostileClone('console.log(`honest in ${process.cwd()}: ${process.argv.slice(2)}`);');
const { write, script, program, link, git, environment, attack } = world;

beforeEach(() => {
  const { root, clone } = world;
  for (const path of ['bin', 'package.json', '.claude-plugin', 'src/version.ts']) {
    cpSync(join(repository, path), join(root, 'plugin', path), { recursive: true });
  }
  makePackage(join(clone, 'node_modules/codex-collab'), attack('committed package'));
  program('clone/node_modules/.bin/collab', 'committed collab');
  program('clone/node_modules/.bin/npx', 'committed npx');
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

test.each(['.', 'src/deep', 'node_modules/codex-collab', 'node_modules/.bin'])(
  'nothing of the world.clone is started from its folder %s',
  async (folder) => {
    expect(await collab({ cwd: join(world.clone, folder) })).toEqual(honestIn(join(world.clone, folder)));
  },
);

test.each([
  ['a relative entry', () => ['node_modules/.bin']],
  ['an empty entry', () => ['']],
  ['an absolute entry, as npm run makes it', () => [join(world.clone, 'node_modules/.bin')]],
  ['an entry with dots', () => [join(world.root, 'home/../clone/node_modules/.bin')]],
  ['an entry that is a link into the clone', () => [link('elsewhere', 'clone/node_modules/.bin')]],
  [
    'an entry whose programs are links into the clone',
    () => [
      dirname(link('linked/collab', 'clone/node_modules/.bin/collab')),
      dirname(link('linked2/npx', 'clone/node_modules/.bin/npx')),
    ],
  ],
  ['the folder of the package, as npm makes it on Windows', () => [world.clone]],
  [
    'a link to the command of the committed package',
    () => [dirname(link('bin/collab', 'clone/node_modules/codex-collab/bin/collab'))],
  ],
])('PATH begins with %s', async (_, entries) => {
  program('clone/collab', 'collab in the folder');
  program('clone/npx', 'npx in the folder');
  expect(await collab({ path: entries() })).toEqual(honestIn(world.clone));
});

test('a version manager on PATH that prefers the working folder’s package does not see the clone', async () => {
  const shim = `[ -f node_modules/codex-collab/bin/collab ] && exec node node_modules/codex-collab/bin/collab "$@"; exit 1`;
  script('shims/collab', shim);
  expect(await collab({ path: [join(world.root, 'shims')] })).toEqual(honestIn(world.clone));
});

test('a program on PATH that names a bundle in the clone is not trusted', async () => {
  const bundle = join(world.clone, 'node_modules/codex-collab/dist/main.cjs');
  script('shims/collab', `echo '${JSON.stringify({ version: manifest.version, bundle })}'`);
  expect(await collab({ path: [join(world.root, 'shims')] })).toEqual(honestIn(world.clone));
});

test('a package on PATH whose bundle is a link into the clone is not used', async () => {
  makePackage(join(world.root, 'other'), '');
  rmSync(join(world.root, 'other/dist/main.cjs'));
  link('other/dist/main.cjs', 'clone/node_modules/codex-collab/dist/main.cjs');
  expect(await collab({ path: [join(world.root, 'other/bin')] })).toEqual(honestIn(world.clone));
});

test('an installed collab of another version is skipped for the right one, not for the clone’s', async () => {
  makePackage(join(world.root, 'old'), attack('old version'), '0.0.1');
  expect(
    await collab({ path: [join(world.root, 'old/bin'), join(world.clone, 'node_modules/.bin')] }),
  ).toEqual(honestIn(world.clone));
});

test.each([
  ['its user configuration', () => ({ NPM_CONFIG_USERCONFIG: join(world.clone, '.npmrc') })],
  ['its global configuration', () => ({ npm_config_globalconfig: join(world.clone, '.npmrc') })],
  ['its prefix', () => ({ npm_config_prefix: world.clone, PREFIX: world.clone })],
  ['its cache', () => ({ npm_config_cache: join(world.clone, 'cache') })],
  ['HOME', () => ({ HOME: world.clone, NPM_CONFIG_USERCONFIG: join(world.root, 'home/.npmrc') })],
  ['its folder for temporary files', () => ({ TMPDIR: join(world.clone, 'src') })],
  ['its modules', () => ({ NODE_PATH: join(world.clone, 'node_modules') })],
  ['its shell', () => ({ npm_config_script_shell: join(world.clone, 'node_modules/.bin/npx') })],
])('npm is told by the environment to take %s from the clone', async (_, env) => {
  expect(await collab({ env: env() })).toEqual(honestIn(world.clone));
});

test('the temporary folder is in another user’s project', async () => {
  write('tmp/package.json', JSON.stringify({ workspaces: ['*'], ...manifest, bin: { collab: 'evil.mjs' } }));
  write('tmp/evil.mjs', attack('project around the temporary folder'));
  write('tmp/.npmrc', `registry=${world.theirs.url}/\n`);
  expect(await collab({})).toEqual(honestIn(world.clone));
});

test.each([
  ['node options', () => `node-options=--require=${join(world.clone, 'evil.cjs')}`],
  ['a shell for scripts', () => `script-shell=${join(world.clone, 'node_modules/.bin/npx')}`],
  ['another git', () => `git=${join(world.clone, 'node_modules/.bin/npx')}`],
  [
    'another prefix, cache and global configuration',
    () => `prefix=${world.clone}\ncache=${world.clone}/cache\nglobalconfig=${world.clone}/.npmrc2`,
  ],
  [
    'a registry for the scope of nobody, and one for all',
    () => `@*:registry=${world.theirs.url}/\nregistry=${world.theirs.url}/`,
  ],
  [
    'workspaces and a place of modules',
    () => 'workspaces=true\ninclude-workspace-root=true\ninstall-strategy=linked',
  ],
  [
    'leave to run scripts, without asking',
    () => 'ignore-scripts=false\nyes=true\nforeground-scripts=true\npackage-lock-only=false',
  ],
])('the .npmrc of the world.clone names %s', async (_, lines) => {
  write(
    'clone/evil.cjs',
    `require('node:fs').appendFileSync(${JSON.stringify(join(world.root, 'trace'))}, 'required\\n');`,
  );
  for (const folder of ['clone', 'clone/src', 'clone/src/deep']) write(`${folder}/.npmrc`, `${lines()}\n`);
  expect(await collab({ cwd: join(world.clone, 'src/deep') })).toEqual(
    honestIn(join(world.clone, 'src/deep')),
  );
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
])('the world.clone holds %s', async (_, files) => {
  for (const [path, text] of Object.entries(files)) write(join('clone', path), text, 0o755);
  expect(await collab({})).toEqual(honestIn(world.clone));
});

test('npm run in the clone passes on settings of its .npmrc, which are not used', async () => {
  const env = environment([], { LAUNCHER: join(world.root, 'plugin/bin/collab') });
  const ran = await execa('npm', ['run', '--silent', 'review'], { cwd: world.clone, env, ...plain });
  expect(whatHappened(ran)).toEqual(honestIn(world.clone));
});

test('a folder of the clone that looks like a bare repository does not hide the clone around it', async () => {
  for (const name of ['objects/x', 'refs/x']) write(`clone/bare/${name}`, '');
  write('clone/bare/HEAD', 'ref: refs/heads/main\n');
  expect(
    await collab({ cwd: join(world.clone, 'bare'), path: [join(world.clone, 'node_modules/.bin')] }),
  ).toEqual(honestIn(join(world.clone, 'bare')));
});

test('a bare repository may contain a package too', async () => {
  const bare = join(world.root, 'bare.git');
  git('init', '--quiet', '--bare', bare);
  cpSync(world.clone, bare, { recursive: true, filter: (path) => !path.endsWith('.git') });
  expect(await collab({ cwd: bare, path: [join(bare, 'node_modules/.bin')] })).toEqual(honestIn(bare));
});

test('in a linked working tree and in a submodule the repository around it is foreign as well', async () => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  git('-C', world.clone, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'base');
  git('-C', world.clone, 'worktree', 'add', '--quiet', join(world.root, 'linked'));
  const path = [join(world.clone, 'node_modules/.bin')];
  expect(await collab({ cwd: join(world.root, 'linked'), path })).toEqual(
    honestIn(join(world.root, 'linked')),
  );
  write('clone/.git/modules/sub/HEAD', 'ref: refs/heads/main\n');
  write('clone/sub/.git', 'gitdir: ../.git/modules/sub\n');
  expect(await collab({ cwd: join(world.clone, 'sub'), path })).toEqual(honestIn(join(world.clone, 'sub')));
});

test.each([
  ['GIT_DIR', () => ({ GIT_DIR: join(world.clone, '.git') })],
  ['GIT_WORK_TREE', () => ({ GIT_WORK_TREE: world.clone })],
])('the repository under review is named by %s, from another folder', async (_, env) => {
  expect(
    await collab({
      cwd: join(world.root, 'tmp'),
      env: env(),
      path: [join(world.clone, 'node_modules/.bin')],
    }),
  ).toEqual(honestIn(join(world.root, 'tmp')));
});

test('without any other collab it says what it did not use', async () => {
  rmSync(join(world.root, 'home/.npmrc'));
  const env = { NPM_CONFIG_REGISTRY: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  const path = [join(world.clone, 'node_modules/.bin')];
  const passedOver = `not used, it belongs to the repository under review: ${join(world.clone, 'node_modules/.bin/collab')}`;
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

async function collab({ cwd = world.clone, path = [], env = {} }: Call) {
  const settings = { cwd, env: environment(path, env), ...plain };
  return whatHappened(
    await execa(process.execPath, [join(world.root, 'plugin/bin/collab'), 'review'], settings),
  );
}

function whatHappened(ran: { readonly exitCode?: number; readonly stdout: string; readonly stderr: string }) {
  return {
    exitCode: ran.exitCode,
    stdout: ran.stdout,
    stderr: ran.stderr,
    executed: world.trace(),
    askedOfTheirs: world.theirs.asked(),
  };
}
