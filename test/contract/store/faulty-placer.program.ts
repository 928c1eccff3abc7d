/**
 * Threads that place files until the fault that the name of the folder has: `full-disk`, `out-of-memory`, or
 * `killed-at-7`, which kills the process before the seventh change of a thread.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { placeFunctions, type PutOptions } from '../../../src/git/store/put-files.ts';
import { answerCalls } from '../../../src/system/thread-queue.ts';

const changes = ['openSync', 'writeSync', 'futimesSync', 'linkSync', 'renameSync', 'mkdirSync'] as const;
let done = 0;
let killedAt = 0;
let isFull = false;
let isOutOfMemory = false;

for (const name of changes) {
  const real: unknown = Reflect.get(fs, name);
  if (typeof real !== 'function') throw new Error(`no fs.${name}`);
  Reflect.set(fs, name, (...args: readonly unknown[]): unknown => {
    done += 1;
    if (done === killedAt) process.kill(process.pid, 'SIGKILL');
    if (isFull && name === 'writeSync' && done > 40)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
    return Reflect.apply(real, fs, args);
  });
}
syncBuiltinESMExports();

const post = parentPort?.postMessage.bind(parentPort);
if (parentPort !== null)
  parentPort.postMessage = (...args) => {
    // A failure outside of a call ends the thread.
    if (isOutOfMemory) throw Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    post?.(...args);
  };
answerCalls({
  putFiles(options: PutOptions) {
    isFull = options.folder.includes('full-disk');
    killedAt = Number(/killed-at-(\d+)/.exec(options.folder)?.[1] ?? 0);
    isOutOfMemory = options.folder.includes('out-of-memory');
    if (!isOutOfMemory) return placeFunctions.putFiles(options);
    return placeFunctions.putFiles({ ...options, files: options.files.slice(0, options.files.length / 2) });
  },
});
