/** Runs a CommonJS script of this package in this process, from the code that V8 compiled in an earlier run. */
import { statSync } from 'node:fs';
import Module from 'node:module';
import { dirname } from 'node:path';
import { getHeapCodeStatistics } from 'node:v8';
import { Script } from 'node:vm';
import type { CodeCache } from './code-cache.ts';
import { readBytes } from '../files/read.ts';

export interface RunScript<Exports> {
  readonly exports: Exports;
  /** Keeps what V8 has compiled until now for later runs. Call it last: it takes time. */
  readonly keepCompiled: () => void;
}

/**
 * `path` names an ASCII file: a comment that names its content, in the first line, and then the function that Node would
 * wrap a CommonJS module in. `import()` does not work in it. `compares`: true if code is also kept again after a run that compiled
 * much more. @throws what the script throws; CollabError `input`, `file`
 */
export function runScript<Exports>(
  path: string,
  cache: CodeCache,
  compares = process.pid % comparedRuns === 0,
): RunScript<Exports> {
  // Latin 1 takes half the memory, and V8 reads it faster than UTF-8. A second copy of it would be 6 MB.
  const source = readBytes(path).toString('latin1');
  // V8 compares nothing but the length: the time notices an edit that keeps the first line.
  const content = `${source.slice(0, source.indexOf('\n'))} ${statSync(path).mtimeMs}`;
  const cachedData = cache.read(content);
  const script = new Script(source, { filename: path, ...(cachedData === null ? {} : { cachedData }) });
  const module = new Module(path);
  module.filename = path;
  const run: (...args: readonly unknown[]) => void = script.runInThisContext();
  run(module.exports, Module.createRequire(path), module, path, dirname(path));
  const isCurrent = cachedData !== null && script.cachedDataRejected !== true;
  const before = isCurrent && compares ? compiledBytes() : null;
  const hasGrown = (): boolean => before !== null && compiledBytes() - before > mostNewBytes;
  return {
    exports: module.exports,
    keepCompiled() {
      if (!isCurrent || hasGrown()) cache.keep(content, () => script.createCachedData());
    },
  };
}

/** Another run of the same command may use more of the program, such as git. Small parts are soon compiled again. */
const mostNewBytes = 64 * 1024;

/** V8 looks through its memory for each number, so that one run of this many compares. */
const comparedRuns = 4;

function compiledBytes(): number {
  return getHeapCodeStatistics().bytecode_and_metadata_size;
}
