import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  contentsOf,
  entriesOf,
  fillWith,
  openScratchStore,
  readerOf,
  type Contents,
} from '../../../test/contract/store/trees.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { buildProgram } from '../../../test/setup/build-program.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { wholeList } from '../repository/file-list.ts';
import { filesIn, fillFolder } from './kept-folder.ts';
import { placeFiles } from './place-files.ts';
import type { RepositoryStore } from './store.ts';

const programs = mkdtempSync(join(tmpdir(), 'collab-placer-'));
afterAll(() => rmSync(programs, { recursive: true, force: true }));
const contract = join(import.meta.dirname, '../../../test/contract/store');
const threads = {
  program: await buildProgram(join(import.meta.dirname, 'place-thread.ts'), programs),
  fewest: 1,
};
const faulty = {
  program: await buildProgram(join(contract, 'faulty-placer.program.ts'), programs),
  fewest: 1,
};

function openScratch() {
  const base = scratchFolder();
  const store = openScratchStore(base);
  onTestFinished(() => store.close());
  return { base, store };
}

/** Fails for every file that is placed on the event loop. */
function withoutLoop(store: RepositoryStore): RepositoryStore {
  return { ...store, blobs: { ...store.blobs, place: refuseToPlace } };
}

function refuseToPlace(): never {
  throw new Error('placed on the event loop');
}

/** Counts the open ports of threads. */
function ports(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

const portsBefore = ports();
const large = 'x'.repeat(8 * 1024 * 1024);
/** Three batches: two end with a large file. */
const many: Contents = {
  ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`src/${index % 7}/${index}`, `${index}`])),
  'a/large': `1${large}`,
  'src/3/large': `2${large}`,
  'src/6/equal': '7',
};

test('threads place the files as the event loop does, and end', async () => {
  const { base, store } = openScratch();
  expect(await fillWith(withoutLoop(store), join(base, 'run'), many, threads)).toEqual([]);
  expect(contentsOf(join(base, 'run'))).toEqual(many);
  const facts = statSync(join(filesIn(join(base, 'run')), 'a/large'));
  expect([facts.nlink, facts.mode & 0o777, facts.mtimeMs]).toEqual([2, 0o400, 315_532_800_000]);
  await expect.poll(ports).toBe(portsBefore);
});

test('threads place what the store has without reading it again', async () => {
  const { base, store } = openScratch();
  await fillWith(store, join(base, 'one'), many);
  const asked: string[] = [];
  const read = async (blobs: readonly string[]) => {
    asked.push(...blobs);
    return blobs.map(() => null);
  };
  const placing = { folder: filesIn(join(base, 'two')), read, threads };
  expect(await placeFiles(withoutLoop(store), entriesOf(many), placing)).toEqual([]);
  expect([contentsOf(join(base, 'two')), asked]).toEqual([many, []]);
});

test('a changed blob is read again, and one that cannot be read is reported', async () => {
  const { base, store } = openScratch();
  const changed = entriesOf({ a: '7' })[0]?.blob ?? '';
  store.blobs.put(changed, Buffer.from('7'));
  const path = join(store.blobs.folder, changed.slice(0, 2), changed.slice(2));
  chmodSync(path, 0o600);
  writeFileSync(path, '8');
  const entries = entriesOf({ ...many, 'src/lost': 'lost' });
  const read = readerOf(Object.values(many));
  const unplaced = await placeFiles(store, entries, { folder: filesIn(join(base, 'run')), read, threads });
  expect(unplaced).toEqual([{ path: 'src/lost', reason: 'not_in_clone' }]);
  expect(contentsOf(join(base, 'run'))).toEqual(many);
});

test.skipIf(process.platform !== 'linux')('threads copy to another disk', async () => {
  const { store } = openScratch();
  const other = mkdtempSync('/dev/shm/collab-placer-');
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  expect(statSync(other).dev).not.toBe(statSync(store.folder).dev);
  expect(await fillWith(withoutLoop(store), join(other, 'run'), many, threads)).toEqual([]);
  expect(contentsOf(join(other, 'run'))).toEqual(many);
  expect(statSync(join(filesIn(join(other, 'run')), 'a/large')).nlink).toBe(1);
});

test('a name that is taken is reported', async () => {
  const { base, store } = openScratch();
  const entries = [...entriesOf(many), ...entriesOf({ 'src/1/1': 'twin', 'src/1/1/below': 'below' })];
  const read = readerOf([...Object.values(many), 'twin', 'below']);
  const placing = { folder: filesIn(join(base, 'run')), read, threads };
  const unplaced = await placeFiles(withoutLoop(store), entries, placing);
  expect(unplaced.map(({ reason }) => reason)).toEqual(['unsafe_path', 'unsafe_path']);
});

test('a fault in a thread has its code, its path and its hint', async () => {
  const { base, store } = openScratch();
  const ended = fillWith(store, join(base, 'full-disk'), many, faulty);
  await expect(ended).rejects.toThrow(CollabError);
  await expect(ended).rejects.toMatchObject({
    code: 'file',
    message: expect.stringMatching(/\/blobs\/[0-9a-f]{2} cannot be written: the disk is full$/),
    hint: expect.stringContaining('Free disk space'),
    details: { system_code: 'ENOSPC' },
  });
  // The folder is not whole: nothing of it is taken for a file of the tree.
  expect(existsSync(join(base, 'full-disk/files'))).toBe(false);
  await expect.poll(ports).toBe(portsBefore);
  expect(await fillWith(store, join(base, 'full-disk'), many)).toEqual([]);
  expect(contentsOf(join(base, 'full-disk'))).toEqual(many);
});

test('the files of a thread that ran out of memory are placed on the event loop', async () => {
  const { base, store } = openScratch();
  expect(await fillWith(store, join(base, 'out-of-memory'), many, faulty)).toEqual([]);
  expect(contentsOf(join(base, 'out-of-memory'))).toEqual(many);
});

test('a stop takes effect before the next batch, and the next filling continues', async () => {
  const { base, store } = openScratch();
  const stop = new AbortController();
  const known = readerOf(Object.values(many));
  let reads = 0;
  const read = async (blobs: readonly string[]) => {
    reads += 1;
    if (reads === 2) stop.abort();
    return known(blobs);
  };
  const files = wholeList(entriesOf(many));
  const folder = join(base, 'run');
  const filling = { folder, files, first: () => [], read, signal: stop.signal, threads };
  const unplaced = await fillFolder(store, filling).whole;
  expect(new Set(unplaced.map(({ reason }) => reason))).toEqual(new Set(['stopped']));
  const there = Object.keys(contentsOf(folder));
  expect([...there, ...unplaced.map(({ path }) => path)].toSorted()).toEqual(Object.keys(many).toSorted());
  expect(await fillWith(store, folder, many)).toEqual([]);
  expect(contentsOf(folder)).toEqual(many);
});
