import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { CalledFunctions } from '../../test/fixtures/threads/called.program.ts';
import { buildProgram } from '../../test/setup/build-program.ts';
import { CollabError } from '../errors/collab-error.ts';
import { createThreadQueue, type ThreadQueueOptions } from './thread-queue.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'built'));
const program = await buildProgram(
  join(import.meta.dirname, '../../test/fixtures/threads/called.program.ts'),
  join(folder, 'built'),
);

test('a call has the result of the function, and memory that is moved is no longer here', async () => {
  const queue = queueOf();
  const bytes = new ArrayBuffer(7);
  expect(await queue.call('add', [2, 3])).toBe(5);
  expect(await queue.call('sizeOf', [bytes], { moved: [bytes] })).toBe(7);
  expect(bytes.byteLength).toBe(0);
});

test('an error of the function arrives with its class, code, hint and details', async () => {
  const queue = queueOf();
  const refusal = await queue.call('refuse', []).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CollabError);
  expect(refusal).toMatchObject({
    code: 'input',
    message: 'the text is damaged',
    hint: 'Correct it.',
    details: { line: 3 },
  });
  const fault = await queue.call('fail', []).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(TypeError);
  expect(fault).not.toBeInstanceOf(CollabError);
});

test('a function that the thread does not have is an error', async () => {
  const queue = createThreadQueue<{ readonly missing: () => void }>({
    program,
    mostThreads: 1,
    limitMs: null,
  });
  await expect(queue.call('missing', [])).rejects.toThrow('the thread has no such function');
});

test('a program that is missing is an error; one that the system refuses to start has no result', async () => {
  await expect(queueOf({ program: join(folder, 'missing.mjs') }).call('add', [2, 3])).rejects.toThrow(
    'missing.mjs',
  );
  expect(await queueOf({ program: 'no-path.mjs' }).call('add', [2, 3])).toBeNull();
});

test('a call that exceeds the limit has no result, and its place is free again', async () => {
  const queue = queueOf({ limitMs: 1 });
  expect(await queue.call('waitFor', [new Int32Array(new SharedArrayBuffer(4))])).toBeNull();
  expect(await queue.call('waitFor', [new Int32Array(new SharedArrayBuffer(4))])).toBeNull();
});

test('a signal ends a call, at work or in the line, with its reason', async () => {
  const queue = queueOf();
  const [atWork, inLine] = [new AbortController(), new AbortController()];
  const endless = new Int32Array(new SharedArrayBuffer(4));
  const first = queue.call('waitFor', [endless], { signal: atWork.signal }).catch((error: unknown) => error);
  const second = queue.call('add', [2, 3], { signal: inLine.signal }).catch((error: unknown) => error);
  const third = queue.call('add', [4, 5]);
  inLine.abort(new Error('no longer needed'));
  expect(await second).toEqual(new Error('no longer needed'));
  atWork.abort(new Error('stopped'));
  expect(await first).toEqual(new Error('stopped'));
  expect(await third).toBe(9);
  await expect(queue.call('add', [2, 3], { signal: atWork.signal })).rejects.toThrow('stopped');
});

test('calls in the line get the thread of the one before them; an idle thread ends', async () => {
  const queue = queueOf();
  const numbers = new Int32Array(new SharedArrayBuffer(4));
  const first = queue.call('waitFor', [numbers]);
  const second = queue.call('thread', []);
  Atomics.store(numbers, 0, 1);
  Atomics.notify(numbers, 0);
  expect(await second).toBe(await first);
  expect(await queue.call('thread', [])).not.toBe(await first);
});

test('as many calls as threads are at work at the same time', async () => {
  const queue = queueOf({ mostThreads: 2 });
  const numbers = new Int32Array(new SharedArrayBuffer(4));
  const first = queue.call('waitFor', [numbers]);
  expect(await queue.call('add', [2, 3])).toBe(5);
  Atomics.store(numbers, 0, 1);
  Atomics.notify(numbers, 0);
  expect(await first).toBeTypeOf('number');
});

test('a queue that keeps its threads uses them until it is closed', async () => {
  const queue = queueOf({ keepsThreads: true });
  const thread = await queue.call('thread', []);
  expect(await queue.call('thread', [])).toBe(thread);
  queue.close();
  expect(await queue.call('thread', [])).not.toBe(thread);
});

function queueOf(options: Partial<ThreadQueueOptions> = {}) {
  const queue = createThreadQueue<CalledFunctions>({ program, mostThreads: 1, limitMs: null, ...options });
  onTestFinished(() => queue.close());
  return queue;
}
