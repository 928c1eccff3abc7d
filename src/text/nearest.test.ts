import { expect, test } from 'vitest';
import { nearest, nearestFew } from './nearest.ts';

const keys = ['advisor', 'allow_static', 'fail_on', 'fail_on_empty', 'format'];

test('a typo finds its word', () => {
  const slips = ['advsior', 'Advisor', 'failon', 'fail_on_emty', 'formt', 'alow_sttic'];
  expect(slips.map((slip) => nearest(slip, keys))).toEqual([
    'advisor',
    'advisor',
    'fail_on',
    'fail_on_empty',
    'format',
    'allow_static',
  ]);
});

test('a word that resembles none finds nothing', () => {
  expect(['colour', '', 'x', 'advertisement'].map((word) => nearest(word, keys))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('several candidates are ordered closest first, each once', () => {
  expect(nearestFew('mian', ['maid', 'main', 'origin/main', 'main', 'mint'], 3)).toEqual(['main']);
  expect(nearestFew('release-1', ['release-21', 'release-1', 'release-2', 'topic'], 2)).toEqual([
    'release-1',
    'release-21',
  ]);
});
