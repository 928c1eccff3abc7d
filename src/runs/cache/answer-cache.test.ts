import {
  mkdirSync,
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
import { countCache, openAnswerCache, pruneCache, removeCache, type CachedAnswer } from './answer-cache.ts';
import { cacheSecretName, openCacheSecret } from './cache-secret.ts';
import { removeOldStateFolders } from '../folder/state-folder.ts';

const dayMs = 24 * 60 * 60 * 1000;
const beganMs = Date.parse('2026-11-22T05:00:00.000Z');

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'collab-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function clockAt(nowMs: number) {
  return { now: () => nowMs, sleep: () => Promise.resolve() };
}

function answer(key: string, changes: Partial<CachedAnswer> = {}): CachedAnswer {
  return {
    schema: 'collab.cache/v1',
    key,
    run_id: 'r-1',
    answered_at: new Date(beganMs).toISOString(),
    prompt_digest: 'p',
    shown: [{ path: 'a.ts', side: 'new', start: 1, end: 2 }],
    answer: '[RESPONSE:REVIEW]',
    ...changes,
  };
}

function cacheIn(home: string, { secret = 'ours', nowMs = beganMs } = {}) {
  return openAnswerCache({ home, secret: Buffer.from(secret), clock: clockAt(nowMs) });
}

test('an entry is found by its key, and by no other', () => {
  const home = scratch();
  const cache = cacheIn(home);
  expect(cache.find('k1')).toEqual({ kind: 'absent' });
  cache.keep(answer('k1'));
  expect(cacheIn(home).find('k1')).toEqual({ kind: 'found', cached: answer('k1') });
  expect(cache.find('k2')).toEqual({ kind: 'absent' });
});

test('two runs that store the same entry leave one complete file and nothing else', () => {
  const home = scratch();
  const [one, other] = [cacheIn(home), cacheIn(home)];
  one.keep(answer('k1', { run_id: 'one' }));
  other.keep(answer('k1', { run_id: 'other' }));
  expect(one.find('k1')).toMatchObject({ kind: 'found', cached: { run_id: 'other' } });
  expect(readdirSync(join(home, 'cache'))).toEqual(['k1.json']);
});

test.each<[string, (file: string) => void, string]>([
  ['is cut', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 50)), 'cannot be read'],
  ['has a field more', (file) => edit(file, { more: 1 }), 'cannot be read'],
  ['says something else', (file) => edit(file, { answer: 'None' }), 'was not written by this user'],
  ['names another run', (file) => edit(file, { run_id: 'r-2' }), 'was not written by this user'],
  ['is of another version', (file) => edit(file, { schema: 'collab.cache/v2' }), 'cannot be read'],
  [
    'lies under another name',
    (file) => writeFileSync(file, readFileSync(`${file}.other`)),
    'is the answer to something else',
  ],
  [
    'is a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    'is not a file of ours',
  ],
])('an entry that %s is broken', (_how, spoil, why) => {
  const home = scratch();
  const cache = cacheIn(home);
  cache.keep(answer('k1'));
  cache.keep(answer('k2'));
  const file = join(home, 'cache/k1.json');
  writeFileSync(`${file}.other`, readFileSync(join(home, 'cache/k2.json')));
  spoil(file);
  expect(cache.find('k1')).toEqual({ kind: 'broken', why: `the cached answer ${why}` });
});

function edit(file: string, changes: object): void {
  const entry: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...Object(entry), ...changes }));
}

test('an entry signed with another secret is rejected', () => {
  const home = scratch();
  cacheIn(home, { secret: 'theirs' }).keep(answer('k1'));
  expect(cacheIn(home).find('k1')).toMatchObject({ kind: 'broken' });
});

test('an answer older than thirty days is not used, and is removed', () => {
  const home = scratch();
  cacheIn(home).keep(answer('old'));
  utimesSync(join(home, 'cache/old.json'), beganMs / 1000, beganMs / 1000);
  const [before, after] = [beganMs + 30 * dayMs, beganMs + 30 * dayMs + 1];
  expect(cacheIn(home, { nowMs: before }).find('old').kind).toBe('found');
  expect(cacheIn(home, { nowMs: after }).find('old').kind).toBe('absent');
  expect(pruneCache(home, clockAt(before))).toBe(0);
  expect(pruneCache(home, clockAt(after + 1000))).toBe(1);
  expect(countCache(home)).toBe(0);
});

test('above 64 MiB the oldest entries are removed', () => {
  const home = scratch();
  mkdirSync(join(home, 'cache'));
  const entry = (name: string, ageMs: number, megabytes: number) => {
    const file = join(home, 'cache', name);
    writeFileSync(file, Buffer.alloc(megabytes * 1024 * 1024));
    utimesSync(file, (beganMs - ageMs) / 1000, (beganMs - ageMs) / 1000);
  };
  entry('newest.json', 0, 30);
  entry('older.json', dayMs, 30);
  entry('oldest.json', 2 * dayMs, 30);
  expect(pruneCache(home, clockAt(beganMs))).toBe(1);
  expect(readdirSync(join(home, 'cache'))).toEqual(['newest.json', 'older.json']);
  expect(removeCache(home)).toBe(2);
});

test('a cache that is a link is neither read, written nor cleaned', () => {
  const home = scratch();
  const elsewhere = scratch();
  writeFileSync(join(elsewhere, 'k1.json'), 'x');
  symlinkSync(elsewhere, join(home, 'cache'));
  cacheIn(home).keep(answer('k2'));
  expect(cacheIn(home).find('k1')).toEqual({ kind: 'absent' });
  expect([countCache(home), removeCache(home), pruneCache(home, clockAt(beganMs + 99 * dayMs))]).toEqual([
    0, 0, 0,
  ]);
  expect(readdirSync(elsewhere)).toEqual(['k1.json']);
});

test('a folder that cannot be written only means that nothing is cached', () => {
  const home = scratch();
  writeFileSync(join(home, 'cache'), '');
  expect(() => cacheIn(home).keep(answer('k1'))).not.toThrow();
  expect(cacheIn(home).find('k1').kind).toBe('absent');
});

test('the secret is created once, for the user only, and does not count as an old state folder', () => {
  const state = scratch();
  const options = {
    env: { XDG_STATE_HOME: state },
    clock: clockAt(Date.now() + 99 * dayMs),
    // For this clock, the files of every process in the shared folder are old.
    temporaryFolder: scratch(),
  };
  const secret = openCacheSecret(options);
  expect(secret).toHaveLength(32);
  expect(openCacheSecret(options)).toEqual(secret);
  removeOldStateFolders(options);
  expect(readdirSync(join(state, 'collab'))).toEqual([cacheSecretName]);
  const given = { ...options, env: { COLLAB_CACHE_KEY: 'from the pipeline' } };
  expect(openCacheSecret(given)).toEqual(openCacheSecret(given));
  expect(openCacheSecret(given)).not.toEqual(secret);
});
