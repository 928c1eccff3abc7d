import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../definition/define-tool.ts';
import { quoteWord } from './shell-words.ts';
import { readSlashArguments } from './slash-arguments.ts';

const tool = defineTool({
  name: 'read',
  description: 'Reads.',
  readOnly: true,
  args: z.strictObject({
    limit: z.int().optional(),
    ignore_case: z.boolean().optional(),
    path: z.string(),
    ratio: z.number().nullable().optional(),
    tags: z.array(z.int()).optional(),
    deep: z.object({ a: z.number() }).optional(),
    end: z.union([z.literal('all'), z.int()]).optional(),
  }),
  run: async (args) => ({ content: JSON.stringify(args), isError: false }),
});

function argsOf(rest: string) {
  const read = readSlashArguments(rest, tool);
  return read.ok ? read.args : read.why;
}

test.each([
  ['a.txt', { path: 'a.txt' }],
  ['"a b.txt" 5', { path: 'a b.txt', limit: 5 }],
  ['a.txt 5 true', { path: 'a.txt', limit: 5, ignore_case: true }],
  ['--limit 5 a.txt', { limit: 5, path: 'a.txt' }],
  ['--limit=5 --path=--x', { limit: 5, path: '--x' }],
  ['--ignore-case a.txt', { ignore_case: true, path: 'a.txt' }],
  ['--ignore_case false a.txt', { ignore_case: false, path: 'a.txt' }],
  [`'--limit'`, { path: '--limit' }],
  ['-- --limit 5', { path: '--limit', limit: 5 }],
  ['5', { path: '5' }],
  ['a --ratio 0.5', { path: 'a', ratio: 0.5 }],
  ['a --ratio null', { path: 'a', ratio: null }],
  ['a --tags 1 --tags 2', { path: 'a', tags: [1, 2] }],
  ['a 1 true 0.5 7 8 9', { path: 'a', limit: 1, ignore_case: true, ratio: 0.5, tags: [7, 8, 9] }],
  [`a --deep '{"a":1}'`, { path: 'a', deep: { a: 1 } }],
  ['a --end all', { path: 'a', end: 'all' }],
  ['a --end 7', { path: 'a', end: 7 }],
  ['{"path": "a", "limit": "5"}', { path: 'a', limit: '5' }],
  [`'{a,b}.ts'`, { path: '{a,b}.ts' }],
  ['{a,b}.ts', { path: '{a,b}.ts' }],
  ['', {}],
  ['a five', { path: 'a', limit: 'five' }],
])('X004-3.1-5 %s is read as %j', (rest, args) => {
  expect(argsOf(rest)).toEqual(args);
});

test.each([
  ['--lmit 5 a', 'There is no option --lmit. Did you mean --limit?'],
  ['--nothing', 'There is no option --nothing. There are --path, --limit, --ignore_case, --ratio'],
  ['--limit', '--limit lacks its value.'],
  ['--limit 1 --limit 2', 'limit is given twice.'],
  ['{"path": }', '{"path": } is not a JSON object.'],
  ['"a', 'A quote is opened and not closed: "a'],
])('X004-3.2,3 %s is refused with a reason', (rest, why) => {
  expect(argsOf(rest)).toContain(why);
});

test('X004-3.4 a word too many is refused, with the way to write one word of several', () => {
  const one = { name: 'say', parameters: { type: 'object', properties: { text: { type: 'string' } } } };
  const read = readSlashArguments('git log', one);
  expect(read).toEqual({
    ok: false,
    why: '/say takes one argument: "log" is one too many. Quote words that belong together.',
  });
  expect(readSlashArguments('x', { name: 'now', parameters: { type: 'object' } })).toMatchObject({
    ok: false,
  });
});

test('X004-3.5 what no type fits is left to the check of the schema', async () => {
  const read = readSlashArguments('a five', tool);
  expect(tool.faultOf?.(read.ok ? read.args : {})).toBe(
    'The arguments of read do not fit its schema: limit: Invalid input: expected number, received string',
  );
});

test('X004-3.1,2 every text comes through quotes as it was, by its place and by its name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(argsOf(quoteWord(text))).toEqual({ path: text });
      expect(argsOf(`--path ${quoteWord(text)}`)).toEqual({ path: text });
    }),
  );
});
