import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'collab-bin-')));
  write('tool/package.json', '{"name":"codex-collab","version":"1.2.3","type":"module"}');
  cpSync(join(repository, 'bin'), join(folder, 'tool/bin'), { recursive: true });
  mkdirSync(join(folder, 'project/src'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the bundle next to the command is imported in the same process', () => {
  bundle('tool', '1.2.3');
  expect(collab()).toEqual({ code: 7, stdout: 'tool 1.2.3 a b', stderr: '' });
});

test.each(['--version', '-V'])('%s alone is answered without the bundle', (flag) => {
  bundle('tool', '1.2.3');
  expect(collab({ args: [flag] })).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  expect(collab({ args: [flag, 'b'] }).stdout).toBe(`tool 1.2.3 ${flag} b`);
});

test('--version in a package of another name is answered by the bundle', () => {
  bundle('tool', '1.2.3');
  write('tool/package.json', '{"name":"renamed","version":"9.9.9","type":"module"}');
  expect(collab({ args: ['--version'] }).stdout).toBe('tool 1.2.3 --version');
});

test('the command is found through the link that npm makes', () => {
  bundle('tool', '1.2.3');
  symlinkSync(join(folder, 'tool/bin/collab'), join(folder, 'linked'));
  expect(collab({ command: 'linked' }).stdout).toBe('tool 1.2.3 a b');
});

test('without a bundle the project’s package is not used, from any folder in it', () => {
  bundle('project/node_modules/codex-collab', '1.2.3');
  for (const cwd of ['project', 'project/src'])
    expect(collab({ cwd })).toMatchObject({ code: 4, stdout: '' });
});

test('then the command on PATH is used, if it has the same version', () => {
  bundle('old', '1.2.2');
  bundle('same', '1.2.3');
  expect(collab({ path: ['old/bin', 'same/bin'] }).stdout).toBe('same 1.2.3 a b');
});

test('another program on PATH is asked for its version and its bundle, which runs here', () => {
  bundle('old', '1.2.2');
  bundle('same', '1.2.3');
  program('stale', 'collab', leadsTo('old'));
  program('shim', 'collab', leadsTo('same'));
  expect(collab({ path: ['stale', 'shim'] })).toEqual({ code: 7, stdout: 'same 1.2.3 a b', stderr: '' });
});

test.each([
  ['of another version', () => bundle('old', '1.2.2'), 'old'],
  ['that is not there', () => {}, 'gone'],
])('a program on PATH whose answer names a package %s is not taken', (_, prepare, name) => {
  prepare();
  program('shim', 'collab', leadsTo(name));
  expect(collab({ path: ['shim'] })).toMatchObject({ code: 4, stdout: '' });
});

test('finally npx is asked for exactly this version, and the exit code is that of its bundle', () => {
  fakeNpx('same', '1.2.3');
  bundle('old', '1.2.2');
  expect(collab({ path: ['old/bin', 'npx'] })).toEqual({ code: 7, stdout: 'same 1.2.3 a b', stderr: '' });
  expect(readFileSync(join(folder, 'npx/asked'), 'utf8')).toBe(
    '--yes --workspaces=false codex-collab@1.2.3 --version\n',
  );
});

test('npx that finds no package does not exit with 1, which would mean findings', () => {
  program('npx', 'npx', 'echo "npm error code E404" >&2; exit 1');
  expect(collab({ path: ['npx'] })).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'collab: not installed: npm install --global codex-collab\n  npx cannot start codex-collab@1.2.3: npm error code E404\n',
  });
});

test('without npx it says what to install', () => {
  expect(collab()).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'collab: not installed: npm install --global codex-collab\n  npx cannot start codex-collab@1.2.3: there is no npx on PATH\n',
  });
});

describe('a clone without a build, as a plugin is', () => {
  beforeEach(() => write('tool/src/cli/main.ts', ''));

  test.each([
    ['its dependencies are installed', 'tool/node_modules/any/index.js', 'project'],
    ['it is called from inside', 'tool/src/index.ts', 'tool/src'],
  ])('says how to build it when someone works in it: %s', (_, path, cwd) => {
    write(path, '');
    bundle('same', '1.2.3');
    expect(collab({ cwd, path: ['same/bin'] })).toEqual({
      code: 4,
      stdout: '',
      stderr: `collab: not built: npm run build (in ${join(folder, 'tool')})\n`,
    });
  });

  test.each([
    ['the package on PATH', () => bundle('same', '1.2.3')],
    ['a program on PATH', () => elsewhere('shim', 'collab')],
    ['npx', () => fakeNpx('elsewhere', '1.2.3')],
  ])('is started by %s', (_, prepare) => {
    prepare();
    expect(collab({ path: ['same/bin', 'shim', 'npx', 'tool/bin'] })).toMatchObject({ code: 7, stderr: '' });
  });

  test('says how to build it if none of them exists, whether or not it is itself on PATH', () => {
    const { code, stdout, stderr } = collab({ path: ['tool/bin'] });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr.split('\n')[0]).toBe(`collab: not built: npm run build (in ${join(folder, 'tool')})`);
  });

  test('a program on PATH that leads back to it is not used', () => {
    program('shim', 'collab', `exec "${process.execPath}" "${join(folder, 'tool/bin/collab')}" "$@"`);
    expect(collab({ path: ['shim'] })).toMatchObject({ code: 4, stdout: '' });
  });
});

/** Fetches a package of this version and starts it, as npx does; records its arguments. */
function fakeNpx(name: string, version: string): void {
  bundle(name, version);
  program('npx', 'npx', `echo "$*" >> "${join(folder, 'npx/asked')}"; shift 3; ${leadsTo(name)}`);
}

function elsewhere(name: string, command: string): void {
  bundle('elsewhere', '1.2.3');
  program(name, command, leadsTo('elsewhere'));
}

/** The script of a program that starts the command of a package. */
function leadsTo(name: string): string {
  return `exec "${process.execPath}" "${join(folder, name, 'bin/collab')}" "$@"`;
}

function program(name: string, command: string, script: string): void {
  write(`${name}/${command}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name, command), 0o755);
}

function bundle(name: string, version: string): void {
  write(`${name}/package.json`, JSON.stringify({ name: 'codex-collab', version, type: 'module' }));
  const words = `${name} ${version}`;
  write(
    `${name}/dist/main.cjs`,
    `process.stdout.write(['${words}', ...process.argv.slice(2)].join(' ')); process.exitCode = 7;`,
  );
  cpSync(join(repository, 'bin'), join(folder, name, 'bin'), { recursive: true });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function collab(
  options: { command?: string; cwd?: string; path?: readonly string[]; args?: readonly string[] } = {},
): {
  code: number | null;
  stdout: string;
  stderr: string;
} {
  const { command = 'tool/bin/collab', cwd = 'project', path = ['empty'], args = ['a', 'b'] } = options;
  const result = spawnSync(process.execPath, [join(folder, command), ...args], {
    cwd: join(folder, cwd),
    env: { PATH: path.map((each) => join(folder, each)).join(delimiter) },
    timeout: 20_000,
    encoding: 'utf8',
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}
