import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCodeCache } from './code-cache.ts';

const program = '// 1 + 1';
const code = Buffer.from('compiled');

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'collab-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(folder: string, name = 'review', env: Readonly<Record<string, string>> = {}) {
  return openCodeCache({ folder, env, name, temporaryFolder: folder });
}

/** Returns the path of the one file that was kept. */
function kept(folder: string): string {
  const [name = '', ...others] = readdirSync(folder).filter((entry) => entry.startsWith('code-'));
  expect(others).toEqual([]);
  return join(folder, name);
}

test('code that was kept is read by the next run of the same command', () => {
  const folder = scratch();
  expect(open(folder).read(program)).toBeNull();
  open(folder).keep(program, () => code);
  expect(open(folder).read(program)).toEqual(code);
  expect(open(folder, 'runs').read(program)).toBeNull();
});

test('the code of another Node is not read, be it of another version, at another place, or replaced', () => {
  const folder = scratch();
  const [execPath, other] = ['node', 'other'].map((name) => join(folder, name));
  for (const path of [execPath, other]) writeFileSync(path ?? '', '');
  const openFor = (version: string, path = '') =>
    openCodeCache({ folder, env: {}, name: 'review', node: { version, execPath: path } });
  openFor('v20.20.2', execPath).keep(program, () => code);
  expect(openFor('v20.20.2', execPath).read(program)).toEqual(code);
  expect(openFor('v20.19.6', execPath).read(program)).toBeNull();
  expect(openFor('v20.20.2', other).read(program)).toBeNull();
  utimesSync(execPath ?? '', new Date(0), new Date(0));
  expect(openFor('v20.20.2', execPath).read(program)).toBeNull();
  rmSync(execPath ?? '');
  openFor('v20.20.2', execPath).keep(program, () => code);
  expect(openFor('v20.20.2', execPath).read(program)).toBeNull();
});

test('the code of another program is not read, even of one that begins alike', () => {
  const folder = scratch();
  open(folder).keep(program, () => code);
  expect(open(folder).read('// 1 + 2')).toBeNull();
  expect(open(folder).read('// 1 + 1c')).toBeNull();
});

test.each([
  ['a changed byte', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('?')])],
  ['a missing end', (bytes: Buffer) => bytes.subarray(0, -3)],
  ['nothing at all', () => Buffer.alloc(0)],
])('%s makes the code unread, and it is kept again', (_name, damage) => {
  const folder = scratch();
  open(folder).keep(program, () => code);
  writeFileSync(kept(folder), damage(readFileSync(kept(folder))));
  expect(open(folder).read(program)).toBeNull();
  open(folder).keep(program, () => code);
  expect(open(folder).read(program)).toEqual(code);
});

test('a link is not followed', () => {
  const [folder, other] = [scratch(), scratch()];
  open(other).keep(program, () => code);
  symlinkSync(kept(other), kept(other).replace(other, folder));
  expect(open(folder).read(program)).toBeNull();
});

test('a folder that is gone, and a name that is no command, harm nothing', () => {
  const folder = scratch();
  const cache = open(folder, '../../etc');
  rmSync(folder, { recursive: true });
  cache.keep(program, () => code);
  expect(cache.read(program)).toBeNull();
});

test.skipIf(process.getuid?.() === 0)('beside a program of another user, the private folder keeps it', () => {
  const [folder, state] = [scratch(), scratch()];
  chmodSync(folder, 0o500);
  const cache = openCodeCache({ folder, env: { XDG_STATE_HOME: state }, name: 'review' });
  cache.keep(program, () => code);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(join(state, 'collab'))).toHaveLength(1);
});

test.each([{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_V8_COVERAGE: '/tmp/coverage' }])(
  'nothing is kept with %o',
  (env) => {
    const folder = scratch();
    open(folder, 'review', env).keep(program, () => code);
    expect(readdirSync(folder)).toEqual([]);
  },
);
