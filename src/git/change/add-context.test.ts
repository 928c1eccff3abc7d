import { expect, test } from 'vitest';
import { expectWholeChange } from '../../../test/changes/numstat.ts';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { resolveChange } from './resolve-change.ts';

test('a change shows its lines from the first line of their function on, and counts as before', async () => {
  const { root, env, git, write, commit } = scratchRepository();
  write('a.ts', source('old').join('\n'));
  write('b.txt', 'one\n');
  commit('base');
  write('a.ts', ['// before', ...source('changed')].join('\n'));
  write('b.txt', 'two\n');
  commit('head');
  const { diffText } = await resolveChange(
    { kind: 'commit', sha: 'HEAD' },
    { cwd: root, env, context: 'functions' },
  );
  const [file] = parseUnifiedDiff(diffText).files;
  const last = file?.hunks.at(-1);
  expect(last?.lines[0]).toMatchObject({ text: 'function run() {', oldLine: 10, newLine: 11 });
  expect(last?.lines.find(({ kind }) => kind === 'added')).toMatchObject({
    text: '  changed(15);',
    newLine: 27,
  });
  expectWholeChange(diffText, git('diff', '--numstat', '-z', 'HEAD~1', 'HEAD'));
});

function source(word: string): readonly string[] {
  return [
    ...Array.from({ length: 9 }, (_, index) => (index === 8 ? '' : `// note ${index}`)),
    'function run() {',
    ...Array.from({ length: 20 }, (_, index) => `  ${index === 15 ? word : 'step'}(${index});`),
    '}',
    '',
  ];
}

test('with files, a small file is whole; with diff, the change is that of git', async () => {
  const { root, env, git, write, commit } = scratchRepository();
  write('a.ts', source('old').join('\n'));
  commit('base');
  write('a.ts', source('changed').join('\n'));
  commit('head');
  const take = async (context: 'diff' | 'files') =>
    resolveChange({ kind: 'commit', sha: 'HEAD' }, { cwd: root, env, context });
  const [hunk] = parseUnifiedDiff((await take('files')).diffText).files[0]?.hunks ?? [];
  expect(hunk).toMatchObject({ newStart: 1, newLines: source('').length - 1 });
  const plain = await take('diff');
  expect(plain.diffText).toBe(git('diff', '--full-index', 'HEAD~1', 'HEAD'));
  expect(plain.contextCosts).toEqual((await take('files')).contextCosts);
});
