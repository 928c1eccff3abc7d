import { expect, test } from 'vitest';
import { fuzzyMatches } from './fuzzy-match.ts';

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    'the beginning of a name, of the path, the middle of a name, the middle of the path',
    'ab',
    ['x/ab/x', 'x/xab', 'ab/xx', 'x/abx'],
    ['x/abx', 'ab/xx', 'x/xab', 'x/ab/x'],
  ],
  ['the shorter one first', 'ab', ['abxx', 'abx', 'xabxx', 'xabx'], ['abx', 'abxx', 'xabx', 'xabxx']],
  [
    'the shorter path first',
    'ab',
    ['x/ab/xx', 'x/ab/x', 'ab/xx', 'ab/x'],
    ['ab/x', 'ab/xx', 'x/ab/x', 'x/ab/xx'],
  ],
  [
    'a long path after every name',
    'ab',
    [`ab/${'x'.repeat(9000)}`, 'xab'],
    [`ab/${'x'.repeat(9000)}`, 'xab'],
  ],
  ['a folder by its own name', 'src', ['x/lib/', 'x/src/'], ['x/src/']],
  ['letters in order, the nearer ones first', 'ac', ['a_b_c', 'a_c', 'ca', 'xa_c'], ['a_c', 'xa_c', 'a_b_c']],
  ['no letters in order if a text has them together', 'ac', ['abc', 'xxac'], ['xxac']],
  ['each letter once', 'aa', ['a', 'axa'], ['axa']],
  ['capital letters as small ones', 'Ab', ['xAB'], ['xAB']],
  ['all texts in their order for an empty query', '', ['b', 'a'], ['b', 'a']],
  ['nothing that misses a letter', 'ax', ['ab', 'xa'], []],
])('finds %s', (_what, query, texts, found) => {
  expect(fuzzyMatches(query, texts, 9)).toEqual(found);
});

test('at most as many as are wanted', () => {
  expect(fuzzyMatches('a', ['a3xx', 'a2x', 'a1'], 2)).toEqual(['a1', 'a2x']);
});
