import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { parseRawDiff } from './raw-diff.ts';

test('names, renames and the patch behind them are read as git writes them', () => {
  const repository = scratchRepository();
  const text = 'one\ntwo\nthree\nfour\n';
  repository.write('moved', text);
  repository.write('bü"cher', text.toUpperCase());
  repository.write('gone', 'x\n');
  repository.commit('base');
  repository.git('mv', 'moved', 'new name');
  repository.write('bü"cher', 'changed\n');
  repository.write('added', 'y\n');
  repository.git('rm', '--quiet', 'gone');
  repository.commit('head');
  const flags = ['diff-tree', '-r', '-M', '-p'];
  const trees = ['HEAD^', 'HEAD'];
  const output = Buffer.from(repository.git(...flags, '-z', '--raw', ...trees));
  const { changed, end } = parseRawDiff(output);
  expect(new Set(changed.map(({ path, isGone }) => `${isGone ? 'gone' : 'there'}: ${path}`))).toEqual(
    new Set(['there: added', 'there: bü"cher', 'gone: gone', 'gone: moved', 'there: new name']),
  );
  const added = changed.filter(({ isNew }) => isNew);
  expect(added.map(({ path }) => path)).toEqual(['added']);
  expect(output.toString('utf8', end)).toBe(repository.git(...flags, ...trees));
  expect(parseRawDiff(Buffer.alloc(0))).toEqual({ changed: [], end: 0 });
});

test('a name that is not UTF-8 keeps its bytes', () => {
  const zeros = '0'.repeat(40);
  const output = Buffer.from(`:000000 100644 ${zeros} ${zeros} A\0b\xFCcher\0`, 'latin1');
  expect(parseRawDiff(output).changed).toEqual([
    { path: 'b\uFFFDcher', bytes: 'b\xFCcher', isGone: false, isNew: true },
  ]);
});
