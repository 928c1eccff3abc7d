import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CodeCache } from './code-cache.ts';
import { runScript } from './run-script.ts';

function script(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'collab-script-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'script.cjs');
  const digest = createHash('sha256').update(body).digest('hex');
  writeFileSync(
    path,
    `// ${digest}\n(function (exports, require, module, __filename, __dirname) {${body}\n})`,
  );
  return path;
}

/** A cache in memory that counts how often code is kept. */
function memory() {
  const state: { code: Buffer | null; kept: number } = { code: null, kept: 0 };
  const cache: CodeCache = {
    read: () => state.code,
    keep(_program, produce) {
      state.code = produce();
      state.kept += 1;
    },
  };
  return { state, cache };
}

interface Sum {
  readonly sum: (left: number, right: number) => number;
}

const source =
  "exports.sum = (left, right) => left + right; exports.here = __dirname; exports.os = require('os');";

test('a script gets what a CommonJS module gets', () => {
  const path = script(source);
  const { exports } = runScript<Sum & { readonly here: string; readonly os: object }>(path, memory().cache);
  expect(exports.sum(1, 2)).toBe(3);
  expect(join(exports.here, 'script.cjs')).toBe(path);
  expect(exports.os).toHaveProperty('tmpdir');
});

test('what V8 compiled is kept once, and again after V8 rejected it', () => {
  const { state, cache } = memory();
  const path = script(source);
  runScript(path, cache).keepCompiled();
  runScript(path, cache).keepCompiled();
  expect(state.kept).toBe(1);

  state.code = Buffer.from('not from V8');
  // In this process, V8 remembers the other one.
  const { exports, keepCompiled } = runScript<Sum>(script(source), cache);
  expect(exports.sum(2, 2)).toBe(4);
  keepCompiled();
  expect(state.kept).toBe(2);
});

test('what V8 compiled is kept again after a run that uses much more of the script, and then no more', () => {
  const { state, cache } = memory();
  const one = '(() => { let a = 1; a += 2; return a * 3; })();';
  const path = script(`exports.more = () => { ${one.repeat(2000)} };`);
  const run = (isMore: boolean): number => {
    const { exports, keepCompiled } = runScript<{ readonly more: () => void }>(path, cache, true);
    if (isMore) exports.more();
    keepCompiled();
    return state.kept;
  };
  expect([run(false), run(false), run(true), run(true), run(false)]).toEqual([1, 1, 2, 2, 2]);
});

test('the compiled code of a script is kept by the line that names its content, and by its time', () => {
  const contents: string[] = [];
  const cache: CodeCache = {
    read(content) {
      contents.push(content);
      return null;
    },
    keep: (content) => void contents.push(content),
  };
  const path = script('exports.one = 1;');
  runScript(path, cache).keepCompiled();
  runScript(script('exports.two = 2;'), cache).keepCompiled();
  utimesSync(path, 0, 0);
  runScript(path, cache);
  const [one, again, two, , edited] = contents;
  expect(one).toMatch(/^\/\/ [0-9a-f]{64} /);
  expect(edited).toBe(`${one?.split(' ').slice(0, 2).join(' ')} 0`);
  expect(again).toBe(one);
  expect(two).not.toBe(one);
});

test('a fault names its place in the script', () => {
  const path = script("\nthrow new Error('early');");
  expect(() => runScript(path, memory().cache)).toThrow('early');
});
