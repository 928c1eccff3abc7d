import { describe, expect, test } from 'vitest';
import {
  homeVariables,
  joinPath,
  nativeProgram,
  neededVariables,
  pathFolders,
  programNames,
  rustTarget,
  systemFolders,
  variable,
  type Platform,
} from './platform.ts';

const linux: Platform = { os: 'linux', arch: 'x64' };
const mac: Platform = { os: 'darwin', arch: 'arm64' };
const windows: Platform = { os: 'win32', arch: 'x64' };

test.each([
  [linux, {}, ['codex']],
  [mac, { PATHEXT: '.EXE' }, ['codex']],
  [windows, { PathExt: '.EXE;.CMD;' }, ['codex.exe', 'codex.cmd']],
  [windows, {}, ['codex.com', 'codex.exe', 'codex.bat', 'codex.cmd']],
])('a program is looked for under the names of its system: %o', (platform, env, names) => {
  expect(programNames('codex', env, platform)).toEqual(names);
});

test.each([
  [linux, { PATH: '/a:.:node_modules/.bin::/b' }, ['/a', '/b']],
  [mac, {}, []],
  [windows, { Path: String.raw`C:\a;bin;D:\b` }, [String.raw`C:\a`, String.raw`D:\b`]],
])('relative entries of PATH are left out: %o', (platform, env, folders) => {
  expect(pathFolders(env, platform)).toEqual(folders);
});

test.each([
  [linux, {}, '/usr/bin:/bin'],
  [mac, {}, '/usr/bin:/bin'],
  [windows, { systemroot: String.raw`D:\Win` }, String.raw`D:\Win\System32;D:\Win`],
  [windows, {}, String.raw`C:\Windows\System32;C:\Windows`],
])('the system has a minimal PATH of its own: %o', (platform, env, path) => {
  expect(joinPath(systemFolders(env, platform), platform)).toBe(path);
});

test.each([
  [linux, 'x86_64-unknown-linux-musl', 'codex'],
  [{ os: 'linux', arch: 'arm64' }, 'aarch64-unknown-linux-musl', 'codex'],
  [mac, 'aarch64-apple-darwin', 'codex'],
  [{ os: 'darwin', arch: 'x64' }, 'x86_64-apple-darwin', 'codex'],
  [windows, 'x86_64-pc-windows-msvc', 'codex.exe'],
  [{ os: 'freebsd', arch: 'x64' }, null, 'codex'],
  [{ os: 'linux', arch: 'ia32' }, null, 'codex'],
] as const)('a native package is named by its Rust target: %o', (platform, target, program) => {
  expect(rustTarget(platform)).toBe(target);
  expect(nativeProgram('codex', platform)).toBe(program);
});

describe('variables', () => {
  test('only Windows needs variables to start a program, and a second one for home', () => {
    expect(neededVariables(linux)).toEqual([]);
    expect(neededVariables(windows)).toContain('SystemRoot');
    expect(homeVariables('/h', mac)).toEqual({ HOME: '/h' });
    expect(homeVariables('H', windows)).toEqual({ HOME: 'H', USERPROFILE: 'H' });
  });

  test('only Windows ignores the case of a name', () => {
    expect(variable('PATH', { Path: 'x' }, 'win32')).toBe('x');
    expect(variable('PATH', { Path: 'x' }, 'linux')).toBeUndefined();
  });
});
