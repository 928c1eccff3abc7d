/** Another process's step at an exact moment: before a call of the file system that synchronous work makes. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Runs the step before call number `at`, from 1. Returns the number of calls that the work made. */
export function withStepBefore(at: number, step: () => void, work: () => void): number {
  let count = 0;
  let isInStep = false;
  const counted =
    (call: (args: readonly unknown[]) => unknown) =>
    (...args: readonly unknown[]): unknown => {
      if (!isInStep && ++count === at) {
        isInStep = true;
        step();
        isInStep = false;
      }
      return call(args);
    };
  const restore = Object.keys(fs).flatMap((name) => {
    const real: unknown = Reflect.get(fs, name);
    if (!name.endsWith('Sync') || typeof real !== 'function') return [];
    const replaced = counted((args) => Reflect.apply(real, fs, args));
    // `realpathSync` has a second form.
    const native: unknown = Reflect.get(real, 'native');
    if (typeof native === 'function')
      Object.assign(replaced, { native: counted((args) => Reflect.apply(native, fs, args)) });
    Reflect.set(fs, name, replaced);
    return [() => Reflect.set(fs, name, real)];
  });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
  return count;
}

/** Counts the calls of the file system that synchronous work makes. */
export function countCalls(work: () => void): number {
  return withStepBefore(Infinity, () => undefined, work);
}
