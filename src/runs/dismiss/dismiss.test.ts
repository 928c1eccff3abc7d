import { mkdirSync, readFileSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { takeLock } from '../../engine/lock/lock.ts';
import { checkSuppressions } from '../../config/suppressions-file.ts';
import { readDismissals } from '../../review/dismissals/dismissal.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { dismissFinding, type DismissOptions } from './dismiss.ts';

const found = (digit: string) =>
  finding({ severity: 'important', identity: digit.repeat(64), title: 'Rounds\u001B[31m too early' });

function dismiss(cwd: string, changes: Partial<DismissOptions> = {}) {
  const { signal } = new AbortController();
  const env = { HOME: cwd };
  return dismissFinding({
    finding: found('a'),
    runId: 'r-1',
    reason: 'as agreed',
    cwd,
    env,
    clock,
    signal,
    ...changes,
  });
}

const suppressionsOf = (folder: string) =>
  checkSuppressions(readFileSync(join(folder, 'collab.suppressions.yaml'), 'utf8'), 'f');
const historyOf = (folder: string) =>
  readDismissals(readFileSync(join(folder, '.collab/history.jsonl'), 'utf8'));

test('a finding gets an entry that covers it and nothing worse, and a line in the history', async () => {
  const folder = scratchFolder();
  expect(await dismiss(folder)).toEqual({
    suppressions: 'collab.suppressions.yaml',
    history: '.collab/history.jsonl',
    isNew: true,
    isRead: false,
    ignored: [],
  });
  expect(suppressionsOf(folder)).toMatchObject([
    { identity: 'a'.repeat(64), severity: 'important', reason: 'as agreed', path: null, title: null },
  ]);
  expect(historyOf(folder)).toMatchObject({
    dismissals: [{ run_id: 'r-1', reason: 'as agreed' }],
    damaged: [],
  });
  const text = readFileSync(join(folder, 'collab.suppressions.yaml'), 'utf8');
  expect(text).toContain('# a.ts:1: Rounds␛[31m too early');
});

test('a repeated call adds nothing, and completes what a full disk or a kill left', async () => {
  const folder = scratchFolder();
  await dismiss(folder);
  expect((await dismiss(folder, { reason: 'again' })).isNew).toBe(false);
  writeFileSync(join(folder, '.collab/history.jsonl'), '{"torn');
  expect((await dismiss(folder)).isNew).toBe(true);
  expect(suppressionsOf(folder)).toHaveLength(1);
  expect(historyOf(folder)).toMatchObject({ dismissals: [{ identity: 'a'.repeat(64) }], damaged: [1] });
});

const firsts = (identities: readonly (string | null)[]): string =>
  identities
    .map((one) => one?.charAt(0) ?? '')
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join('');

test('each dismissal has a line of its own, also after a last line without its end', async () => {
  const folder = scratchFolder();
  const file = join(folder, '.collab/history.jsonl');
  await dismiss(folder);
  await dismiss(folder, { finding: found('b') });
  const text = readFileSync(file, 'utf8');
  expect(text.split('\n').map((line) => line.slice(0, 1))).toEqual(['{', '{', '']);
  writeFileSync(file, text.trimEnd());
  await dismiss(folder, { finding: found('c') });
  expect(historyOf(folder)).toMatchObject({ dismissals: [{}, {}, {}], damaged: [] });
});

test('two calls at once lose nothing', async () => {
  const folder = scratchFolder();
  const digits = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(digits.map((digit) => dismiss(folder, { finding: found(digit) })));
  expect(firsts(suppressionsOf(folder).map(({ identity }) => identity))).toBe(digits.join(''));
  expect(firsts(historyOf(folder).dismissals.map(({ identity }) => identity))).toBe(digits.join(''));
});

test('a call waits for another process that writes the files', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.collab'));
  const lock = await takeLock(join(folder, '.collab/dismissals'));
  const asked = new Promise((resolve) => {
    lock.onRequest(({ type }) => {
      resolve(type);
      return new Promise(() => undefined);
    });
  });
  const done = dismiss(folder);
  expect(await Promise.race([asked, done])).toBe('wait');
  expect(existsSync(join(folder, 'collab.suppressions.yaml'))).toBe(false);
  await lock.release();
  expect((await done).isNew).toBe(true);
});

test('an entry that has expired, or covers less, is followed by a new one', async () => {
  const folder = scratchFolder();
  await dismiss(folder, { expires: '2020-01-01' });
  await dismiss(folder, { finding: { ...found('a'), severity: 'minor' } });
  expect(suppressionsOf(folder).map(({ severity }) => severity)).toEqual(['important', 'minor']);
  await dismiss(folder);
  expect(suppressionsOf(folder).map(({ severity }) => severity)).toEqual(['important', 'minor', 'important']);
});

test('a secret in the reason is masked in both files; an empty or long reason is refused', async () => {
  const folder = scratchFolder();
  const secret = sampleSecrets[0]?.secret ?? '';
  await dismiss(folder, { reason: `they know ${secret}` });
  for (const file of ['collab.suppressions.yaml', '.collab/history.jsonl'])
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain(secret);
  const refused = await Promise.all(
    [' \n', 'x'.repeat(1001)].map((reason) => refusalOf(dismiss(folder, { reason }))),
  );
  expect(refused.map(({ message }) => message)).toEqual([
    'the reason is empty',
    'the reason has 1001 characters; 1000 is the limit',
  ]);
});

test('nothing is written through links, nor into a damaged suppression file', async () => {
  const linked = scratchFolder();
  const elsewhere = scratchFolder();
  symlinkSync(elsewhere, join(linked, '.collab'));
  expect(await refusalOf(dismiss(linked))).toMatchObject({ code: 'input' });
  const file = scratchFolder();
  writeFileSync(join(elsewhere, 'target'), 'kept');
  mkdirSync(join(file, '.collab'));
  symlinkSync(join(elsewhere, 'target'), join(file, '.collab/history.jsonl'));
  expect(await refusalOf(dismiss(file))).toMatchObject({ code: 'input' });
  expect(readFileSync(join(elsewhere, 'target'), 'utf8')).toBe('kept');
  expect(existsSync(join(file, 'collab.suppressions.yaml'))).toBe(false);
  const damaged = scratchFolder();
  writeFileSync(join(damaged, 'collab.suppressions.yaml'), 'suppressions: {');
  expect(await refusalOf(dismiss(damaged))).toMatchObject({ code: 'config' });
  expect(existsSync(join(damaged, '.collab/history.jsonl'))).toBe(false);
});

test('git keeps the history and nothing else of the folder; a file of the user stays', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.collab'));
  writeFileSync(join(folder, '.collab/.gitignore'), '*\n');
  await dismiss(folder);
  const read = (name: string) => readFileSync(join(folder, '.collab', name), 'utf8');
  expect(read('.gitignore')).toBe('*\n!/.gitattributes\n!/history.jsonl\n');
  expect(read('.gitattributes')).toBe('history.jsonl merge=union\n');
  writeFileSync(join(folder, '.collab/.gitignore'), '# mine\n');
  await dismiss(folder, { finding: found('b') });
  expect(read('.gitignore')).toBe('# mine\n');
});

test('the entry goes into the file that the configuration names', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'collab.config.yaml'), 'suppressions: known.yaml\n');
  expect(await dismiss(folder)).toMatchObject({ suppressions: 'known.yaml', isRead: true });
  expect(existsSync(join(folder, 'known.yaml'))).toBe(true);
});
