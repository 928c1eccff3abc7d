import { expect, test } from 'vitest';
import { readFence, withoutBegunLine } from './read-fence.ts';

test.each([
  ['```ts\nconst a = 1;\n```\n', { language: 'ts', code: 'const a = 1;\n', isOpen: false }],
  ['~~~ python  title="x"\nprint()\n~~~~\n\n', { language: 'python', code: 'print()\n', isOpen: false }],
  ['````\n```\n````', { language: null, code: '```\n', isOpen: false }],
  ['  ```\n    a\n  b\n c\n  ```', { language: null, code: '  a\nb\nc\n', isOpen: false }],
  ['```js\none\ntwo', { language: 'js', code: 'one\ntwo', isOpen: true }],
  ['```\n', { language: null, code: '', isOpen: true }],
  ['```\n```', { language: null, code: '', isOpen: false }],
])('reads %j', (block, fence) => {
  expect(readFence(block)).toEqual(fence);
});

test.each(['text', '``\nx\n``', '``` a`b\n', '    ```\n', '```\na\n```\nafter', '> ```\n> a\n> ```'])(
  'what is not code alone is none: %j',
  (block) => {
    expect(readFence(block)).toBeNull();
  },
);

test('an open fence keeps its shape while its lines arrive: no partial language, no partial end', () => {
  const whole = '```typescript\nconst a = 1;\n```';
  const seen = Array.from(whole, (_, index) => readFence(whole.slice(0, index + 1))).filter(
    (fence) => fence !== null,
  );
  expect(new Set(seen.map(({ language }) => language))).toEqual(new Set([null, 'typescript']));
  expect(seen.filter(({ code }) => code.includes('`'))).toEqual([]);
});

test('the last line of a growing text is not shown while it may become a fence', () => {
  expect(['a\n\n`', 'a\n\n``', '~', 'a\n  ~~', 'a\n```ts'].map(withoutBegunLine)).toEqual([
    'a\n\n',
    'a\n\n',
    '',
    'a\n',
    'a\n',
  ]);
  expect(['a `', '``b', '```\n', '```a`'].map(withoutBegunLine)).toEqual(['a `', '``b', '```\n', '```a`']);
});
