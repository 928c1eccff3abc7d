import { expect, test } from 'vitest';
import { sessionIn } from '../command.test-helper.ts';
import { createPipedInput } from './chat-input.ts';

async function readAll(input: string, take?: (line: string) => string) {
  const piped = createPipedInput(sessionIn({ root: '/', env: {} }, { input }).session, take);
  const read: string[] = [];
  for (let line = await piped.read(); line !== null; line = await piped.read()) read.push(line);
  return { piped, read };
}

test('each line is an input; one that ends with a backslash continues on the next one', async () => {
  expect((await readAll('one\n\ntwo\\\nthree\\\n\nfour\n')).read).toEqual([
    'one',
    '',
    'two\nthree\n',
    'four',
  ]);
  expect((await readAll('a\\b\nend\\')).read).toEqual(['a\\b', 'end']);
});

test('a line may be written in another form', async () => {
  expect((await readAll('one\\\ntwo\n', (line) => `<${line}>`)).read).toEqual(['<one\ntwo>']);
});

test('a pipe has no keys to watch', async () => {
  const { piped } = await readAll('');
  piped.recall(['one']);
  expect(piped.watch(() => undefined)).toBe(null);
  piped.close();
  expect(await piped.read()).toBe(null);
});
