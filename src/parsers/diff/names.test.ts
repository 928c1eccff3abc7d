import { expect, test } from 'vitest';
import { longestScannedLine, parseGitHeaderNames } from './names.ts';

test('a path with spaces is split in the middle, however long it is', () => {
  const path = `a file/${'x'.repeat(longestScannedLine)} y.ts`;
  expect(parseGitHeaderNames(`a/${path} b/${path}`)).toEqual({ old: `a/${path}`, new: `b/${path}` });
});
