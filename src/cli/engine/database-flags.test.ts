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

const runs = (text: string) => `--runs needs a number from 1 to 64, not "${text}"\n  for example --runs 4`;
const kinds = (text: string) =>
  `--kinds needs kinds of runs: review, consult, workflow, not "${text}"\n  for example --kinds review,consult`;
const share = (text: string) =>
  `--share needs a number from 0.001 to 1000, not "${text}"\n  every tenant has a share of 1 if nothing else is set`;
const ofTenant =
  'A share, a queue and a budget are of a tenant, and none is named\n  Write collab engine limits <tenant> --share 2.';
const ofProvider =
  'A rate needs its provider, and a provider its rate\n  Write collab engine limits --provider anthropic --calls-per-minute 60.';

test.each([
  ['worker --runs 0', runs('0')],
  ['worker --runs 65', runs('65')],
  ['worker --runs x1', runs('x1')],
  ['worker --runs 1x', runs('1x')],
  ['worker --runs 100', runs('100')],
  ['worker --kinds review,fix', kinds('review,fix')],
  ['worker --kinds ,', kinds(',')],
  ['engine limits acme --share 0', share('0')],
  ['engine limits acme --share 1001', share('1001')],
  ['engine limits acme --share 1.2345', share('1.2345')],
  ['engine limits acme --share 10000', share('10000')],
  ['engine limits acme --share 1.', share('1.')],
  ['engine limits acme --share x1', share('x1')],
  [
    `engine limits a/${'b'.repeat(200)} --share 1`,
    `There can be no tenant "a/${'b'.repeat(148)}"\n  use 1 to 128 letters, digits, dots, underscores and hyphens`,
  ],
  ['engine limits --share 1', ofTenant],
  ['engine limits --queued 0', ofTenant],
  ['engine limits --usd-per-day 1', ofTenant],
  ['engine limits --provider codex', ofProvider],
  ['engine limits --calls-per-minute 1', ofProvider],
])('%s is refused before the database is asked', async (line, message) => {
  expect(await here(line)).toEqual({ code: 2, out: '', err: `collab: ${message}\n` });
});

test.each([
  ['worker --grace soon', '--grace needs a duration, not "soon"'],
  ['engine clean --older-than soon', '--older-than needs a duration, not "soon"'],
  ['engine limits acme --queued -1', '--queued needs a whole number from 0 to 1000000, not "-1"'],
  ['engine limits acme --queued 1000001', '--queued needs a whole number from 0 to 1000000, not "1000001"'],
  [
    'engine limits acme --usd-per-day much',
    '--usd-per-day needs an amount in US dollars, or none, not "much"',
  ],
  [
    'engine limits acme --usd-per-day 1000001',
    '--usd-per-day needs an amount in US dollars, or none, not "1000001"',
  ],
  [
    'engine limits --provider codex --calls-per-minute 0',
    '--calls-per-minute needs a whole number from 1 to 100000, or none, not "0"',
  ],
  [
    'engine limits --provider codex --calls-per-minute 100001',
    '--calls-per-minute needs a whole number from 1 to 100000, or none, not "100001"',
  ],
])('%s is refused by the rules of such values', async (line, message) => {
  const { code, out, err } = await here(line);
  expect([code, out, err.split('\n')[0]]).toEqual([2, '', `collab: ${message}`]);
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
