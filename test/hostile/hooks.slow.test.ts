/** The hooks that `collab init` writes, in a repository whose author wants to choose what they start. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { prePushHook, stopHook } from '../../src/cli/setup/init-templates.ts';
import { startRegistryServer, type RegistryServer } from '../runner/registry-server.ts';

const repository = join(import.meta.dirname, '../..');
const manifest = { name: 'codex-collab', version: packageJson.version };
const systemPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];

let packed: string;
let users: RegistryServer;
let theirs: RegistryServer;
let root: string;
let clone: string;

beforeAll(async () => {
  packed = realpathSync(mkdtempSync(join(tmpdir(), 'collab-hooks-registry-')));
  const described = { ...manifest, type: 'module', bin: { collab: 'bin/collab' } };
  for (const folder of ['bin', 'dist']) mkdirSync(join(packed, 'honest', folder), { recursive: true });
  writeFileSync(join(packed, 'honest/package.json'), JSON.stringify(described));
  const statement = `import { appendFileSync } from 'node:fs';
    appendFileSync(process.env.TRACE, \`honest in \${process.cwd()}: \${process.argv[2]}\\n\`);`;
  writeFileSync(join(packed, 'honest/dist/main.js'), statement);
  writeFileSync(join(packed, 'honest/bin/collab'), readFileSync(join(repository, 'bin/collab')));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: join(packed, 'honest') });
  const tarball = join(packed, `${manifest.name}-${manifest.version}.tgz`);
  users = await startRegistryServer([{ manifest: described, tarball }]);
});

afterAll(async () => {
  await users.close();
  rmSync(packed, { recursive: true, force: true });
});

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-hooks-')));
  clone = join(root, 'clone');
  theirs = await startRegistryServer([]);
  mkdirSync(join(root, 'tmp'));
  write('home/.npmrc', `registry=${users.url}/\nupdate-notifier=false\n`);
  git('init', '--quiet', '--bare', join(root, 'remote'));
  git('init', '--quiet', clone);
  git('-C', clone, 'remote', 'add', 'origin', join(root, 'remote'));
  commit('one');
  git('-C', clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  commit('two');
  write('clone/.git/hooks/pre-push', prePushHook, 0o755);
  write('clone/.claude/hooks/collab-stop.mjs', stopHook);
  const planted = ['collab', 'npx', 'node', 'sed', 'mktemp', 'readlink', 'git', 'dirname'];
  for (const folder of ['node_modules/.bin', '.', 'src'])
    for (const name of planted) program(join('clone', folder, name), `committed ${folder}/${name}`);
  write('clone/.npmrc', `registry=${theirs.url}/\n`);
  write('clone/package.json', JSON.stringify({ ...manifest, bin: { collab: 'collab' }, workspaces: ['*'] }));
});

afterEach(async () => {
  await theirs.close();
  rmSync(root, { recursive: true, force: true });
});

const hooks = [
  ['pre-push', prePush],
  ['Stop', stop],
] as const;

describe.skipIf(process.platform === 'win32')('nothing of the clone is started', () => {
  const paths: readonly (readonly [string, () => readonly string[]])[] = [
    ['is the system’s', () => []],
    ['begins with relative and empty entries', () => ['.', '', 'node_modules/.bin', 'src']],
    ['begins with entries of the clone', () => [clone, join(clone, 'node_modules/.bin')]],
    ['begins with a link to a folder of the clone', () => [link('bin', 'clone/node_modules/.bin')]],
    ['begins with programs that are links into the clone', linkedPrograms],
  ];
  test.each(
    hooks.flatMap(([hook, run]) => paths.map(([path, entries]) => [hook, path, run, entries] as const)),
  )('by the %s hook if PATH %s', async (hook, path, run, entries) => {
    await run(entries());
    // The shell takes the first program of a name: if that is a link into the clone, nothing is reviewed.
    const isStopped = hook === 'pre-push' && path.includes('links into');
    expect(trace()).toBe(isStopped ? '' : honest());
    expect(theirs.asked()).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32').each(hooks)(
  'the %s hook starts an installed collab outside of the clone',
  async (_, run) => {
    script('installed/collab', `echo "honest in $PWD: $1" >>"$TRACE"`);
    await run([join(clone, 'node_modules/.bin'), join(root, 'installed')]);
    expect(trace()).toBe(honest());
  },
);

function prePush(entries: readonly string[]) {
  // Git itself is started by its path: the caller's PATH is what a hook inherits.
  const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  return execa(found, ['push', 'origin', 'HEAD:main'], settings(entries));
}

function stop(entries: readonly string[]) {
  const input = JSON.stringify({ stop_hook_active: false });
  const file = join(clone, '.claude/hooks/collab-stop.mjs');
  return execa(process.execPath, [file], { ...settings(entries), input });
}

function settings(entries: readonly string[]) {
  const env = {
    PATH: [...entries, ...systemPath].join(delimiter),
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    TRACE: join(root, 'trace'),
    LANG: 'C.UTF-8',
  };
  return { cwd: clone, env, extendEnv: false, reject: false } as const;
}

function honest(): string {
  return `honest in ${clone}: review\n`;
}

function trace(): string {
  return existsSync(join(root, 'trace')) ? readFileSync(join(root, 'trace'), 'utf8') : '';
}

function linkedPrograms(): readonly string[] {
  for (const name of ['collab', 'npx']) link(`linked/${name}`, `clone/node_modules/.bin/${name}`);
  return [join(root, 'linked')];
}

function program(path: string, name: string): void {
  script(path, `echo '${name}' >>'${join(root, 'trace')}'`);
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
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

function commit(message: string): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  git('-C', clone, ...identity, 'commit', '--quiet', '--allow-empty', '-m', message);
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { stdio: 'pipe' });
}
