import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { scanChange } from './scan-change.ts';
import { newFile } from './change.test-helper.ts';

const fixtures = resolve(import.meta.dirname, '../../../test/fixtures/rules');
const faultyCode = readdirSync(fixtures)
  .flatMap((rule) => readdirSync(join(fixtures, rule)).map((name) => join(fixtures, rule, name)))
  .filter((path) => /bad\.(ts|js|tsx|py|sh)$/.test(path))
  .flatMap((path) => readFileSync(path, 'utf8').split('\n'));

const code = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...faultyCode) },
  { weight: 1, arbitrary: fc.constantFrom('{', '}', '(', '/*', '*/', '`', "'", '${', '<div>', '\r', '') },
  { weight: 1, arbitrary: fc.string() },
);
const change = fc.record({
  path: fc.constantFrom('src/a.ts', 'src/a.tsx', 'src/a.mjs', 'a.py', 'a.sh', 'a'),
  lines: fc.array(fc.tuple(fc.constantFrom('added', 'removed', 'context'), code), { maxLength: 30 }),
});

test('for any fragment, a finding quotes lines that the change adds, or removes on the old side', async () => {
  await fc.assert(
    fc.asyncProperty(change, fc.boolean(), async ({ path, lines }, isWhole) => {
      const file = fileOf(path, lines);
      const all = file.hunks.flatMap((hunk) => hunk.lines);
      for (const { side, startLine, endLine, quote } of await scanChange(
        [file],
        new AbortController().signal,
        { rules: 'all', headOf: () => (isWhole ? headOf(file) : null) },
      )) {
        const kind = side === 'new' ? 'added' : 'removed';
        const quoted = all.filter((line) => {
          const number = (side === 'new' ? line.newLine : line.oldLine) ?? 0;
          return number >= startLine && number <= endLine;
        });
        expect(quoted.map((line) => line.kind)).toEqual(quoted.map(() => kind));
        expect(quoted.map(({ text }) => text.replace(/\r$/, '').length)).toEqual(
          quote.map(({ length }) => length),
        );
      }
    }),
    { numRuns: 200 },
  );
});

/** The file begins 49 lines above its hunk. */
function headOf({ hunks }: DiffFile): string {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== 'removed');
  return [...Array.from({ length: 49 }, () => ''), ...lines.map(({ text }) => text)].join('\n');
}

function fileOf(
  path: string,
  rows: readonly (readonly ['added' | 'removed' | 'context', string])[],
): DiffFile {
  let [oldLine, newLine] = [40, 50];
  const lines = rows.map(([kind, text]): DiffLine => {
    const line = {
      kind,
      text: text.replaceAll('\n', ' '),
      oldLine: kind === 'added' ? null : oldLine,
      newLine: kind === 'removed' ? null : newLine,
      noNewline: false,
    };
    if (kind !== 'added') oldLine += 1;
    if (kind !== 'removed') newLine += 1;
    return line;
  });
  const hunk = { heading: '', oldStart: 40, oldLines: 0, newStart: 50, newLines: 0, lines };
  return { ...newFile(path, ''), change: 'modified', hunks: [hunk] };
}
