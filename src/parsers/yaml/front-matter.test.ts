import { expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

test.each([
  ['---\nname: a\nlevel: 2\n---\n# Body\n\nText\n', 'name: a\nlevel: 2', '# Body\n\nText\n'],
  ['\uFEFF---\nname: a\n---\nBody', 'name: a', 'Body'],
  ['---\r\nname: a\r\nlevel: 2\r\n---\r\nBody\r\nText', 'name: a\nlevel: 2', 'Body\nText'],
  ['--- \t\nname: a\n---\t \nBody', 'name: a', 'Body'],
  ['---\nname: a\n---', 'name: a', ''],
  ['---\n---\nBody', '', 'Body'],
  ['---\nname: a\n---\nBody\n---\nmore', 'name: a', 'Body\n---\nmore'],
])('%j opens with its YAML', (text, yaml, body) => {
  expect(readFrontMatter(text)).toEqual({ yaml, linesBefore: 1, body });
});

test.each([
  '',
  'Body',
  '---',
  '---\nname: a',
  '\n---\nname: a\n---\n',
  'Body\n---\nname: a\n---\n',
  ' ---\nname: a\n---\n',
  '----\nname: a\n---\n',
  '---\nname: a\n----\n',
  '---\nname: a\n ---\n',
  '---\nname: a --- b\n',
  '\uFEFF\uFEFF---\nname: a\n---\n',
  '---\rname: a\r---\r',
  '---\uFEFF\nname: a\n---\n',
])('%j has no front matter', (text) => {
  expect(readFrontMatter(text)).toBeNull();
});
