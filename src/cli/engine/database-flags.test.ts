import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { engineAddress } from './engine-address.ts';

function here(line: string) {
  const root = scratchFolder();
  return collab({ root, env: { HOME: root } }, line.split(' '));
}

test.each([
  'engine check',
  'engine migrate',
  'engine clean',
  'engine limits',
  'worker',
  'runs --remote',
  'show --remote',
  'wait --remote',
  'apply --remote',
  'cancel --remote',
  'status --remote',
  'trace --remote',
  'answer latest --file - --remote',
  'consult design --file - --remote',
  'run task --remote',
])('%s needs the address of a database', async (line) => {
  expect(await here(line)).toEqual({
    code: 2,
    out: '',
    err: 'collab: No database is named\n  use --engine postgres://… or set COLLAB_ENGINE\n',
  });
});

test('the flag names the database, else the environment', () => {
  expect(engineAddress({ env: { COLLAB_ENGINE: 'postgres://env' } }, 'postgres://flag')).toBe(
    'postgres://flag',
  );
  expect(engineAddress({ env: { COLLAB_ENGINE: 'postgres://env' } }, undefined)).toBe('postgres://env');
  expect(() => engineAddress({ env: { COLLAB_ENGINE: '' } }, undefined)).toThrow('No database is named');
});

test.each([
  ['worker --runs 0', '--runs needs a number from 1 to 64, not "0"\n  for example --runs 4'],
  ['worker --runs 65', '--runs needs a number from 1 to 64, not "65"'],
  ['worker --runs x1', '--runs needs'],
  ['worker --runs 100', '--runs needs'],
  ['worker --kinds review,fix', '--kinds needs kinds of runs: '],
  ['worker --kinds ,', '--kinds needs kinds of runs: '],
  ['worker --grace soon', '--grace needs a duration'],
  ['engine clean --older-than soon', '--older-than needs a duration'],
  [
    'engine limits acme --share 0',
    '--share needs a number from 0.001 to 1000, not "0"\n  every tenant has a share of 1',
  ],
  ['engine limits acme --share 1001', '--share needs'],
  ['engine limits acme --share 1.2345', '--share needs'],
  ['engine limits acme --share x1', '--share needs'],
  ['engine limits acme --queued -1', '--queued needs'],
  ['engine limits acme --usd-per-day much', '--usd-per-day needs '],
  ['engine limits --provider codex --calls-per-minute 0', '--calls-per-minute needs '],
  ['engine limits a/b --share 1', 'There can be no tenant "a/b"\n  use 1 to 128 letters'],
  [
    'engine limits --share 1',
    'A share, a queue and a budget are of a tenant, and none is named\n  Write collab engine limits <tenant> --share 2.',
  ],
  ['engine limits --queued 0', 'A share, a queue and a budget are of a tenant'],
  ['engine limits --usd-per-day 1', 'A share, a queue and a budget are of a tenant'],
  [
    'engine limits --provider codex',
    'A rate needs its provider, and a provider its rate\n  Write collab engine limits --provider',
  ],
  ['engine limits --calls-per-minute 1', 'A rate needs its provider, and a provider its rate'],
])('%s is refused before the database is asked', async (line, message) => {
  const { code, out, err } = await here(line);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(`collab: ${message}`);
});

test.each([
  'worker --runs 64',
  'worker --kinds review,consult,review --grace 1s',
  'engine limits acme --share 0.001 --queued 0 --usd-per-day none',
  'engine limits acme --share 1000 --usd-per-day 1.5',
  'engine limits --provider codex --calls-per-minute none',
  'engine limits --provider codex --calls-per-minute 60',
])('%s is accepted', async (line) => {
  expect((await here(line)).err).toMatch(/^collab: No database is named\n/);
});
