/** Counts the changes that a process makes to the file system, and kills it with SIGKILL before one of them. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const changes = [
  'openSync',
  'writeSync',
  'futimesSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'mkdirSync',
  'rmdirSync',
  'lutimesSync',
] as const;

/** With 0 it only counts. Returns a function that returns the number of changes so far. */
export function killAtChange(number: number): () => number {
  let done = 0;
  const count = (): void => {
    done += 1;
    if (done === number) process.kill(process.pid, 'SIGKILL');
  };
  for (const name of changes) {
    const real: unknown = Reflect.get(fs, name);
    if (typeof real !== 'function') throw new Error(`no fs.${name}`);
    Reflect.set(fs, name, (...args: readonly unknown[]): unknown => {
      count();
      return Reflect.apply(real, fs, args);
    });
  }
  const realRemove = fs.promises.rm;
  fs.promises.rm = (...args) => {
    count();
    return realRemove(...args);
  };
  syncBuiltinESMExports();
  return () => done;
}
