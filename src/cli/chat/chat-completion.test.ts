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
  expect(offered('/read src/.h')).toEqual([['src/.hidden'], 'src/.h']);
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

const place = (own: Partial<Parameters<typeof completeInput>[1]> = {}) => ({
  tools,
  cwd: '/nowhere',
  files: () => ['src/a.ts'],
  ...own,
});

test('a command and its phase replace what was typed of them; only commands and files are a menu', () => {
  expect(completeInput('/exi', place())).toEqual({
    replaced: '/exi',
    items: [
      { text: '/exit ', about: 'ends the conversation, like Ctrl-D; collab chat --resume continues it' },
    ],
    isMenu: true,
  });
  expect(completeInput('/read', place()).items[0]).toEqual({ text: '/read ', about: '/read' });
  expect(completeInput('/fs.', place()).items).toEqual([{ text: '/fs.write ', about: '/fs.write' }]);
  expect(completeInput('/consult ', place())).toEqual({
    replaced: '',
    items: ['requirements ', 'design ', 'implementation '].map((text) => ({ text, about: '' })),
    isMenu: false,
  });
  expect(completeInput('see @a', place())).toEqual({
    replaced: '@a',
    items: [{ text: '@src/a.ts ', about: '' }],
    isMenu: true,
  });
  expect(completeInput('/read @a', place()).items).toEqual([{ text: '@src/a.ts ', about: '' }]);
  expect(completeInput('@a b', place())).toEqual({ replaced: '', items: [], isMenu: false });
  expect(completeInput('//x y', place({ cwd: scratchFolder() })).items).toEqual([]);
});

test('a tool with the name of a command is offered once, and at most eight paths are', () => {
  const cwd = scratchFolder();
  for (let index = 0; index < 9; index += 1) writeFileSync(join(cwd, `f${index}`), '');
  writeFileSync(join(cwd, '.hidden'), '');
  expect(completeInput('/read f', place({ cwd })).items).toHaveLength(8);
  expect(completeInput('/read .', place({ cwd })).items.map(({ text }) => text)).toEqual(['.hidden']);
  expect(completeInput('/read a f8', place({ cwd })).items).toEqual([{ text: 'f8', about: '' }]);
  expect(completeInput('/exit', place({ tools: [toolOf('exit')] })).items).toEqual([
    { text: '/exit ', about: '/exit' },
  ]);
});

test('earlier inputs replace the whole line, and at most eight are offered', () => {
  const earlier = Array.from({ length: 9 }, (_, index) => `input ${index}`);
  const { replaced, items, isMenu } = searchHistory('input', earlier);
  expect([replaced, items.length, isMenu]).toEqual(['input', 8, true]);
});
