import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { toolOf } from '../../tools/tool.test-helper.ts';
import { completeInput, searchHistory } from './chat-completion.ts';

const tools = [toolOf('Read', { aliases: ['read'] }), toolOf('fs.write')];

test.each([
  ['/re', ['/read ', '/review ', '/resend ', '/resume ']],
  ['/rvw', ['/review ']],
  ['/fs', ['/fs.write ']],
  ['/nothing', []],
  ['/consult d', ['design ']],
  ['/consult design src', []],
  ['a word', []],
  ['//a', []],
])('%s is offered %j', (line, offers) => {
  const place = { tools, cwd: scratchFolder(), files: () => [] };
  expect(completeInput(line, place).items.map(({ text }) => text)).toEqual(offers);
});

test('after a command paths are completed: folders with a slash, hidden files only after a dot', () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/a.ts'), '');
  writeFileSync(join(cwd, 'src/.hidden'), '');
  const offered = (line: string) => {
    const { items, replaced } = completeInput(line, { tools, cwd, files: () => [] });
    return [items.map(({ text }) => text), replaced];
  };
  expect(offered('/read s')).toEqual([['src/'], 's']);
  expect(offered('/read src/')).toEqual([['src/a.ts'], 'src/']);
  expect(offered('/read src/.')).toEqual([['src/.hidden'], 'src/.']);
  expect(offered('/read gone/a')).toEqual([[], 'gone/a']);
});

test('the best of all files is offered for a mention, however many fit', () => {
  const others = Array.from({ length: 20_000 }, (_, index) => `generated/many/part-${index}/index.ts`);
  const files = () => [...others, 'src/invoice.ts', 'test/invoice.test.ts'];
  const offered = (line: string) => completeInput(line, { tools, cwd: scratchFolder(), files });
  const texts = ['@src/invoice.ts ', '@test/invoice.test.ts '];
  expect(offered('look at @invoi')).toMatchObject({
    replaced: '@invoi',
    items: texts.map((text) => ({ text })),
  });
  expect(offered('@srcinv').items[0]?.text).toBe('@src/invoice.ts ');
  expect(offered('@').items).toHaveLength(8);
  expect(offered('an address@invoi').items).toEqual([]);
});

test('earlier inputs are searched by letters in their order, each once', () => {
  const earlier = ['run the tests', 'read src/a.ts', 'run the tests', 'why?'];
  expect(searchHistory('rtest', earlier).items.map(({ text }) => text)).toEqual(['run the tests']);
  expect(searchHistory('', earlier).items.map(({ text }) => text)).toEqual([
    'run the tests',
    'read src/a.ts',
    'why?',
  ]);
});
