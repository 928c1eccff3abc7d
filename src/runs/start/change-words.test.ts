import { expect, test } from 'vitest';
import { isLikeRange, readChangeWords } from './change-words.ts';

test.each([
  ['pr:', 'pr:<number>, such as pr:123'],
  ['pr:x', 'pr:<number>, such as pr:123'],
  ['pr:0', 'pr:<number>, such as pr:123'],
  ['mr:1x', 'mr:<number>, such as mr:123'],
  ['branch:', 'branch:<name>'],
  ['commit:', 'commit:<name>'],
])('%j names no change: the hint has the whole form', (words, form) => {
  expect(() => readChangeWords(words)).toThrow(
    expect.objectContaining({ code: 'usage', message: `"${words}" names no change`, hint: `write ${form}` }),
  );
});

test.each(['branch:-x', 'commit:--all'])('%j has a name that git takes for a flag', (words) => {
  expect(() => readChangeWords(words)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `"${words}" has a name that git takes for a flag`,
      hint: 'name the commits by their ids: <base>...<head>',
    }),
  );
});

test.each([
  ['#7', { kind: 'pull_request_here', number: 7, forge: null }],
  ['!7', { kind: 'pull_request_here', number: 7, forge: 'gitlab' }],
  ['mr:7', { kind: 'pull_request_here', number: 7, forge: 'gitlab' }],
  ['pr:7', { kind: 'pull_request_here', number: 7, forge: null }],
  ['branch:a:b', { kind: 'branch', name: 'a:b' }],
  ['commit:HEAD~1', { kind: 'commit', name: 'HEAD~1' }],
  ['-', { kind: 'stdin' }],
  ['#07', { kind: 'plain', words: '#07' }],
  ['7', { kind: 'plain', words: '7' }],
  ['x:7', { kind: 'plain', words: 'x:7' }],
])('%j is read as %j', (words, meaning) => {
  expect(readChangeWords(words)).toEqual(meaning);
});

test.each([
  ['a..b', true],
  ['a...b', true],
  ['../a', false],
  ['a/../b', false],
  ['a\\..\\b', false],
  ['..', false],
  ['a', false],
])('%j may be a range: %s', (words, isLike) => {
  expect(isLikeRange(words)).toBe(isLike);
});
