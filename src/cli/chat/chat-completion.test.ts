import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { toolOf } from '../../tools/tool.test-helper.ts';
import { completeInput } from './chat-completion.ts';

const tools = [toolOf('Read', { aliases: ['read'] }), toolOf('fs.write')];

test.each([
  ['/re', ['/review ', '/resend ', '/read ']],
  ['/fs', ['/fs.write ']],
  ['/nothing', []],
  ['/consult d', ['design ']],
  ['/consult design src', []],
  ['a word', []],
  ['//a', []],
])('%s is offered %j', (line, offers) => {
  expect(completeInput(line, { tools, cwd: scratchFolder() })[0]).toEqual(offers);
});

test('after a command paths are completed: folders with a slash, hidden files only after a dot', () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/a.ts'), '');
  writeFileSync(join(cwd, 'src/.hidden'), '');
  const offered = (line: string) => completeInput(line, { tools, cwd });
  expect(offered('/read s')).toEqual([['src/'], 's']);
  expect(offered('/read src/')).toEqual([['src/a.ts'], 'src/']);
  expect(offered('/read src/.')).toEqual([['src/.hidden'], 'src/.']);
  expect(offered('/read gone/a')).toEqual([[], 'gone/a']);
});
