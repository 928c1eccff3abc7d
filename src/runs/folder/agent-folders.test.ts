import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeStores } from '../../git/store/prune.ts';
import { systemClock } from '../../system/clock.ts';
import { removeDeadCopies } from './dead-copies.ts';
import { scratch, prepare, one, two } from './agent-folders.test-helper.ts';

test('agents read the files of the change, despite later edits', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  repository.write('src/1.txt', 'edited later\n');
  repository.write('src/2.txt', 'edited later\n');
  const run = begin(one);
  expect(await run.fill()).toBeNull();
  const read = (path: string) => readFileSync(join(run.review ?? '', path), 'utf8');
  expect([read('src/1.txt'), read('src/2.txt'), readdirSync(join(run.review ?? '', 'src')).length]).toEqual([
    'changed\n',
    'text\n',
    120,
  ]);
  expect(readdirSync(run.state).toSorted()).toEqual(['copied-tree', 'kept', 'run']);
});

function changedText({ review }: { readonly review: string | null }): string {
  return readFileSync(join(review ?? '', 'src/1.txt'), 'utf8');
}

test('if the store is removed between the change and the copy, the present files are read, and the run reports it', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  await removeStores(join(env.XDG_STATE_HOME, 'collab'));
  const same = begin(one);
  expect([await same.fill(), changedText(same)]).toEqual([null, 'changed\n']);
  await same.remove();
  await removeStores(join(env.XDG_STATE_HOME, 'collab'));
  repository.write('src/1.txt', 'edited later\n');
  const other = begin(two);
  expect([await other.fill(), changedText(other)]).toEqual([
    'the files have changed since this run began: the advisor reads them as they are now',
    'edited later\n',
  ]);
});

test('the folder of a run that has ended or died is reused by the next one', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  const kept = () =>
    readdirSync(join(env.XDG_STATE_HOME, 'collab/store'), { recursive: true, encoding: 'utf8' });
  const ended = begin(one);
  await ended.fill();
  await ended.remove();
  expect([existsSync(ended.state), kept().filter((path) => path.endsWith('/files')).length]).toEqual([
    false,
    1,
  ]);
  const died = begin(two);
  await died.fill();
  expect(kept().filter((path) => path.endsWith('/files'))).toEqual([]);
  await removeDeadCopies({ env, clock: systemClock });
  expect([existsSync(died.review ?? ''), kept().filter((path) => path.endsWith('/files')).length]).toEqual([
    false,
    1,
  ]);
});
