import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { openRepositoryStore } from './store.ts';

function nameOf(content: string) {
  const blob = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex');
  return { blob, sizeBytes: content.length };
}

function openScratch() {
  const repository = scratchRepository();
  const base = scratchFolder();
  const store = openRepositoryStore(base, { commonDir: join(repository.root, '.git') });
  const put = (content: string) => {
    const named = nameOf(content);
    expect(store.blobs.put(named.blob, Buffer.from(content))).toBe(true);
    return { ...named, path: join(store.folder, 'blobs', named.blob.slice(0, 2), named.blob.slice(2)) };
  };
  return { repository, base, ...store, put };
}

test('a blob has git’s id for its content, and is private and read-only', () => {
  const { repository, blobs, put } = openScratch();
  repository.write('a', 'content\n');
  const blob = put('content\n');
  expect(blob.blob).toBe(repository.git('hash-object', 'a').trim());
  expect([blobs.has(blob), blobs.get(blob.blob)?.toString()]).toEqual([true, 'content\n']);
  expect((statSync(blob.path).mode & 0o777).toString(8)).toBe('400');
  expect((statSync(join(blob.path, '..')).mode & 0o777).toString(8)).toBe('700');
});

test('a SHA-256 id is longer', () => {
  const { blobs } = openScratch();
  const id = createHash('sha256').update('blob 1\0x').digest('hex');
  expect([blobs.put(id, Buffer.from('x')), blobs.get(id)?.toString()]).toEqual([true, 'x']);
});

test('content that does not match its id is refused', () => {
  const { blobs } = openScratch();
  const { blob } = nameOf('content');
  expect([blobs.put(blob, Buffer.from('other')), blobs.get(blob)]).toEqual([false, null]);
});

const changes: readonly (readonly [string, (path: string) => void])[] = [
  ['written to', (path) => writeFileSync(path, 'changed')],
  ['given another mode', (path) => chmodSync(path, 0o600)],
  ['touched', (path) => utimesSync(path, 7, 7)],
  ['cut off', (path) => writeFileSync(path, '')],
];

test.each(changes)('a blob that was %s is discarded', (_how, change) => {
  const { blobs, put } = openScratch();
  const blob = put('content');
  chmodSync(blob.path, 0o600);
  change(blob.path);
  expect(blobs.place(blob, join(scratchFolder(), 'file'))).toBe(false);
  expect(statSync(blob.path, { throwIfNoEntry: false })).toBeUndefined();
});

test('a blob that was changed without changing its stamp is not read', () => {
  const { blobs, put } = openScratch();
  const blob = put('content');
  chmodSync(blob.path, 0o600);
  writeFileSync(blob.path, 'CONTENT');
  expect(blobs.get(blob.blob)).toBeNull();
  expect(statSync(blob.path, { throwIfNoEntry: false })).toBeUndefined();
  expect(blobs.has(blob)).toBe(false);
});

test('a blob is placed as a hard link to the same file; an existing name is an error', () => {
  const { blobs, put } = openScratch();
  const blob = put('content');
  const path = join(scratchFolder(), 'deep/er/file');
  expect(blobs.place(blob, path)).toBe(true);
  expect([readFileSync(path, 'utf8'), statSync(path).ino]).toEqual(['content', statSync(blob.path).ino]);
  expect(() => blobs.place(blob, path)).toThrow('EEXIST');
});
