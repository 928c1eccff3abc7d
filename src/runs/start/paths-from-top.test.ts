import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { pathsFromTop } from './paths-from-top.ts';

test('paths that a user names in a folder of the repository are those of the change', () => {
  const { root } = scratchRepository();
  const cwd = join(root, 'src/deep');
  mkdirSync(cwd, { recursive: true });
  expect(pathsFromTop({ paths: ['a.ts', '../b', '../..', '..dots', join(root, 'c.ts')] }, { cwd })).toEqual([
    'src/deep/a.ts',
    'src/b',
    '.',
    'src/deep/..dots',
    'c.ts',
  ]);
});

test('a request without paths is about the whole change', () => {
  const { root } = scratchRepository();
  expect(pathsFromTop({}, { cwd: root })).toBeNull();
  expect(pathsFromTop({ paths: [] }, { cwd: root })).toBeNull();
});

test.each(['..', '../elsewhere', '/', ''])(
  'the path %j is refused, because it is not in the repository',
  (path) => {
    const { root } = scratchRepository();
    expect(() => pathsFromTop({ paths: ['a.ts', path] }, { cwd: root })).toThrow(
      `the path "${path}" is not in ${root}`,
    );
  },
);
