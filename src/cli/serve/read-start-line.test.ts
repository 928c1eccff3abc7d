import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { readCommand } from '../program.ts';
import { readStartLine } from './read-start-line.ts';

function read(line: string, reader = readCommand) {
  try {
    return readStartLine(line.split(' '), reader);
  } catch (error) {
    if (error instanceof CollabError) return [error.code, error.message];
    throw error;
  }
}

test('a line that starts a run is its request', () => {
  expect(read('review --staged')).toMatchObject({ kind: 'review', changes: [{ kind: 'staged' }] });
  expect(read('run Round --yes')).toMatchObject({ kind: 'run', task: 'Round', yes: true });
});

test.each([
  ['runs', 'runs starts no run'],
  ['review --help', 'review --help starts no run'],
  ['--version', '--version starts no run'],
  ['review --plan', 'review --plan starts no run'],
  ['review --stagged', "unknown option '--stagged'\n(Did you mean --staged?)"],
  ['gate', "missing required argument 'result.json'"],
])('%s is refused', (line, message) => {
  expect(read(line)).toEqual(['usage', message]);
});

test('a bug in the reader is no fault of the line', () => {
  const bug = new TypeError('a bug');
  expect(() =>
    read('review', () => {
      throw bug;
    }),
  ).toThrow(bug);
});
