import type { ContentBlock } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { readPrompt } from './prompt.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const link = (uri: string): ContentBlock => ({ type: 'resource_link', name: 'x', uri });
const embedded = (uri: string, content: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, text: content },
});

test('text is the words of a command, without the space around it', () => {
  expect(readPrompt([text(' /review'), text(' --staged\n')], '/p')).toEqual({
    text: '/review --staged',
    words: '/review --staged',
    files: [],
  });
});

test('a named file has its place in the text, and none among the words', () => {
  expect(readPrompt([text('What of '), link('file:///p/src/a%20b.ts'), text('?')], '/p')).toEqual({
    text: 'What of src/a b.ts?',
    words: 'What of  ?',
    files: ['src/a b.ts'],
  });
});

test.each([
  ['file:///p', '.', ['.']],
  ['file:///other/a.ts', '/other/a.ts', ['/other/a.ts']],
  ['file:///p/x/../../other', '/other', ['/other']],
  ['https://example.org/a', 'https://example.org/a', []],
  ['no uri', 'no uri', []],
])('the resource %s is named %s', (uri, shown, files) => {
  expect(readPrompt([link(uri)], '/p')).toEqual({ text: shown, words: '', files });
});

test('embedded texts follow the text, each in a fence under its name', () => {
  const blocks = [text('See '), embedded('file:///p/a.md', '# a\n'), embedded('untitled:1', '```\n\n')];
  expect(readPrompt(blocks, '/p')).toEqual({
    text: 'See a.mduntitled:1\n\na.md:\n\n```\n# a\n```\n\nuntitled:1:\n\n````\n```\n\n````',
    words: 'See',
    files: ['a.md'],
  });
});

test.each<[string, ContentBlock]>([
  ['an image', { type: 'image', data: 'AA==', mimeType: 'image/png' }],
  ['a sound', { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }],
  ['embedded binary content', { type: 'resource', resource: { uri: 'file:///p/a', blob: 'AA==' } }],
])('%s is refused', (what, block) => {
  expect(() => readPrompt([block], '/p')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `collab cannot read ${what}`,
      hint: 'Send text, or name a file.',
    }),
  );
});
