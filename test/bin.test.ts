import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'collab-bin-')));
  write('tool/package.json', '{"name":"codex-collab","version":"1.2.3","type":"module"}');
  mkdirSync(join(folder, 'tool/bin'));
  cpSync(join(repository, 'bin/collab'), join(folder, 'tool/bin/collab'));
  mkdirSync(join(folder, 'project/src'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the bundle beside the command is imported in the same process', () => {
  bundle('tool', '1.2.3');
  expect(collab()).toEqual({ code: 7, stdout: 'tool 1.2.3 a b', stderr: '' });
});

test('the command is found through the link that npm makes', () => {
  bundle('tool', '1.2.3');
  symlinkSync(join(folder, 'tool/bin/collab'), join(folder, 'linked'));
  expect(collab({ command: 'linked' }).stdout).toBe('tool 1.2.3 a b');
});

test('without a bundle the package of the project is taken, from any folder in it', () => {
  bundle('project/node_modules/codex-collab', '9.9.9');
  expect(collab({ cwd: 'project/src' })).toEqual({
    code: 7,
    stdout: 'project/node_modules/codex-collab 9.9.9 a b',
    stderr: '',
  });
});

test('then the command on PATH, if it has the same version', () => {
  bundle('old', '1.2.2');
  bundle('same', '1.2.3');
  const path = ['old/bin', 'same/bin'].map((each) => join(folder, each)).join(delimiter);
  expect(collab({ path }).stdout).toBe('same 1.2.3 a b');
});

test('at last npx is asked for exactly this version, and its exit code is ours', () => {
  write('fake/npx', '#!/bin/sh\necho "npx $*"\nexit 3\n');
  chmodSync(join(folder, 'fake/npx'), 0o755);
  bundle('old', '1.2.2');
  const path = ['old/bin', 'fake'].map((each) => join(folder, each)).join(delimiter);
  expect(collab({ path })).toEqual({ code: 3, stdout: 'npx --yes codex-collab@1.2.3 a b\n', stderr: '' });
});

test('where there is no npx either it says what to install', () => {
  const { code, stderr } = collab();
  expect(code).toBe(4);
  expect(stderr).toMatch(/^collab: npx cannot be started \(.*\): npm install codex-collab\n$/);
});

test.each([
  ['its dependencies are installed', 'tool/node_modules/any/index.js', 'project'],
  ['it is called from inside', 'tool/src/index.ts', 'tool/src'],
])('a clone without a build says how to build it when %s', (_, path, cwd) => {
  write('tool/src/cli/main.ts', '');
  write(path, '');
  expect(collab({ cwd })).toEqual({
    code: 4,
    stdout: '',
    stderr: `collab: not built: npm run build (in ${join(folder, 'tool')})\n`,
  });
});

function bundle(name: string, version: string): void {
  write(`${name}/package.json`, JSON.stringify({ name: 'codex-collab', version, type: 'module' }));
  write(`${name}/bin/collab`, '');
  const words = `${name} ${version}`;
  write(
    `${name}/dist/main.js`,
    `process.stdout.write(['${words}', ...process.argv.slice(2)].join(' ')); process.exitCode = 7;`,
  );
  if (name === 'tool') cpSync(join(repository, 'bin/collab'), join(folder, 'tool/bin/collab'));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function collab(options: { command?: string; cwd?: string; path?: string } = {}): {
  code: number | null;
  stdout: string;
  stderr: string;
} {
  const { command = 'tool/bin/collab', cwd = 'project', path = '' } = options;
  const result = spawnSync(process.execPath, [join(folder, command), 'a', 'b'], {
    cwd: join(folder, cwd),
    env: { PATH: path === '' ? join(folder, 'empty') : path },
    encoding: 'utf8',
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}
