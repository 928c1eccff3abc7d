import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  readFileSync,
  existsSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askOwner, findOwner, takeLock, type RunLock } from './lock.ts';

let run = '';
const held: RunLock[] = [];

beforeEach(() => {
  run = join(mkdtempSync(join(tmpdir(), 'collab-lock-test-')), 'run');
});
afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release();
  rmSync(dirname(run), { recursive: true, force: true });
});

test('a second owner is refused with the pid of the current one', async () => {
  await take();
  await expect(takeLock(run)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringMatching(
      /^Another collab \(process \d+, since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\) is working on this run$/,
    ),
    details: { pid: process.pid, run_folder: run },
  });
  expect(await findOwner(run)).toMatchObject({ pid: process.pid });
});

test('a released run can be taken again, under the next number', async () => {
  const first = await take();
  await first.release();
  expect(await findOwner(run)).toBeNull();
  await take();
  expect(generations()).toEqual(['lock.1', 'lock.2']);
});

test('a file whose name only contains that of a number takes no part', async () => {
  mkdirSync(run);
  for (const name of ['old.lock.7', 'lock.8.bak']) writeFileSync(join(run, name), '');
  await take();
  expect(readdirSync(run).toSorted()).toEqual(['lock.1', 'lock.8.bak', 'old.lock.7']);
});

test('an owner whose number is no longer the highest knows that it lost the run', async () => {
  const first = await take();
  expect(first.checkStillOurs()).toBe(true);
  writeFileSync(join(run, 'lock.2'), '{"socket":"/nowhere","pid":1}');
  expect(first.checkStillOurs()).toBe(false);
});

test('an owner whose run folder was removed knows that it lost the run', async () => {
  const lock = await take();
  rmSync(run, { recursive: true });
  expect(lock.checkStillOurs()).toBe(false);
});

test('a generation file that a power loss left empty does not block the run', async () => {
  await (await take()).release();
  writeFileSync(join(run, 'lock.2'), '');
  await take();
  expect(generations()).toEqual(['lock.1', 'lock.2', 'lock.3']);
});

test('a socket that refuses connections belongs to a dead owner, and its folder is removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collab-'));
  const dead = join(folder, 's');
  await (await take()).release();
  writeFileSync(join(run, 'lock.2'), JSON.stringify({ socket: dead, pid: 1 }));
  writeFileSync(dead, '');
  await take();
  expect(generations()).toContain('lock.3');
  expect(existsSync(folder)).toBe(false);
});

test('a generation file can only make us remove a socket folder of our own', async () => {
  await (await take()).release();
  const precious = join(dirname(run), 'precious');
  writeFileSync(precious, 'kept');
  writeFileSync(join(run, 'lock.2'), JSON.stringify({ socket: precious, pid: 1 }));
  await take();
  expect(readFileSync(precious, 'utf8')).toBe('kept');
});

test('only the user can connect', async () => {
  await take();
  const owner = await findOwner(run);
  expect(statSync(dirname(owner?.socket ?? '')).mode & 0o777).toBe(0o700);
  expect(statSync(join(run, 'lock.1')).mode & 0o777).toBe(0o600);
  expect(statSync(run).mode & 0o777).toBe(0o700);
});

test('a request reaches the owner, and the caller gets its answer', async () => {
  const lock = await take();
  expect(await askOwner(run, { type: 'status' })).toEqual({
    ok: false,
    message: 'the run is starting',
    passing: true,
  });
  lock.onRequest((request) => Promise.resolve({ ok: false, message: `asked to ${request.type}` }));
  expect(await askOwner(run, { type: 'cancel' })).toEqual({ ok: false, message: 'asked to cancel' });
});

test('an exception of the handler is returned as the reason', async () => {
  const lock = await take();
  lock.onRequest(() => Promise.reject(new Error('not now')));
  expect(await askOwner(run, { type: 'cancel' })).toEqual({ ok: false, message: 'not now' });
});

test('a request to a run without an owner gets no reply', async () => {
  await (await take()).release();
  expect(await askOwner(run, { type: 'status' })).toBeNull();
});

test('a caller that sends garbage or disconnects affects no other', async () => {
  await take();
  const { socket } = (await findOwner(run)) ?? { socket: '' };
  const nonsense = createConnection(socket);
  nonsense.write('GET / HTTP/1.1\n');
  const [reply] = await once(nonsense.setEncoding('utf8'), 'data');
  expect(JSON.parse(String(reply))).toEqual({ ok: false, message: 'not a request: GET / HTTP/1.1' });
  const rude = createConnection(socket);
  await once(rude, 'connect');
  rude.write('{"type":"sta');
  rude.destroy();
  expect(await findOwner(run)).toMatchObject({ pid: process.pid });
});

test('another program that listens at the address counts as an owner that did not reply', async () => {
  await (await take()).release();
  const stranger = createServer((socket) => socket.on('error', () => undefined).end('hello\n'));
  const address = join(dirname(run), 's');
  await once(stranger.listen(address), 'listening');
  writeFileSync(join(run, 'lock.2'), JSON.stringify({ socket: address, pid: 1 }));
  expect(await askOwner(run, { type: 'status' })).toBeNull();
  await expect(takeLock(run)).rejects.toMatchObject({ code: 'locked' });
  stranger.close();
});

test('a release leaves neither a socket nor a temporary file', async () => {
  const lock = await take();
  const { socket } = (await findOwner(run)) ?? { socket: '' };
  await lock.release();
  await lock.release();
  expect(existsSync(dirname(socket))).toBe(false);
  expect(readdirSync(run)).toEqual(['lock.1']);
});

async function take(): Promise<RunLock> {
  const lock = await takeLock(run);
  held.push(lock);
  return lock;
}

function generations(): readonly string[] {
  return readdirSync(run)
    .filter((name) => name.startsWith('lock.'))
    .toSorted();
}
