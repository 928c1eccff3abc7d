import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisPlatform } from '../../../system/platform.ts';
import { makeSeed, removeSeed, seedFolder, sow } from './home-seed.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-seed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('a new CODEX_HOME gets the databases and their logs, and nothing else', () => {
  for (const name of ['state_5.sqlite', 'state_5.sqlite-wal', 'state_5.sqlite-shm', 'installation_id']) {
    write(`seed/codex/${name}`, name);
  }
  mkdirSync(join(folder, 'home'));
  sow(join(folder, 'seed'), join(folder, 'home'));
  expect(readdirSync(join(folder, 'home')).toSorted()).toEqual(['state_5.sqlite', 'state_5.sqlite-wal']);
});

test('a continued run keeps its own databases', () => {
  write('seed/codex/state_5.sqlite', 'empty');
  write('home/state_5.sqlite', 'a conversation');
  sow(join(folder, 'seed'), join(folder, 'home'));
  expect(readFileSync(join(folder, 'home/state_5.sqlite'), 'utf8')).toBe('a conversation');
});

test('without a seed nothing is copied', () => {
  mkdirSync(join(folder, 'home'));
  sow(join(folder, 'seed'), join(folder, 'home'));
  expect(readdirSync(join(folder, 'home'))).toEqual([]);
});

test('another version of the program gets another seed, next to the folders of the runs', () => {
  write('codex', 'one');
  const runs = join(folder, 'state', 'run-1');
  const first = seedFolder(runs, join(folder, 'codex'));
  expect(first).toMatch(/state\/codex-[0-9a-f]{16}$/);
  expect(seedFolder(join(folder, 'state', 'run-2'), join(folder, 'codex'))).toBe(first);
  write('codex', 'another');
  expect(seedFolder(runs, join(folder, 'codex'))).not.toBe(first);
});

test('a program that is not Codex leaves no seed and reports no error', async () => {
  const seed = join(folder, 'state', 'codex-1');
  const options = { seed, env: {}, path: ['/usr/bin'], platform: thisPlatform, timeoutMs: 30_000 };
  await makeSeed({ ...options, program: '/bin/true', signal: new AbortController().signal });
  await makeSeed({ ...options, program: '/bin/true', signal: AbortSignal.abort() });
  expect(readdirSync(join(folder, 'state'))).toEqual([]);
});

test('a seed is removed completely', async () => {
  write('seed/codex/state_5.sqlite', 'broken');
  await removeSeed(join(folder, 'seed'));
  expect(existsSync(join(folder, 'seed'))).toBe(false);
});
