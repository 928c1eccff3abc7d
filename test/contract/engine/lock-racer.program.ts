/** Tries to lock the run folder named by each line of its input, and keeps the locks until it is killed. */
import { createInterface } from 'node:readline';
import { CollabError } from '../../../src/errors/collab-error.ts';
import { takeLock } from '../../../src/engine/lock/lock.ts';

process.stdout.write('ready\n');
for await (const runFolder of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await race(runFolder)}\n`);
}

async function race(runFolder: string): Promise<string> {
  try {
    await takeLock(runFolder);
    return 'won';
  } catch (error) {
    return error instanceof CollabError && error.code === 'locked' ? 'locked' : String(error);
  }
}
