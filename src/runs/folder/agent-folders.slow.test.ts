import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch, prepare, one, two } from './agent-folders.test-helper.ts';

test('a resumed run reads the same files as before; without the store it reads the current ones, and says so', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  const first = begin(one);
  await first.fill();
  repository.write('src/1.txt', 'edited later\n');
  await first.removeCopy();
  const second = begin(one);
  const text = () => readFileSync(join(second.review ?? '', 'src/1.txt'), 'utf8');
  expect([await second.fill(), text()]).toEqual([null, 'changed\n']);
  await second.removeCopy();
  rmSync(join(env.XDG_STATE_HOME, 'collab/store'), { recursive: true });
  expect([await begin(one).fill(), text()]).toEqual([
    'the files have changed since this run began: the advisor reads them as they are now',
    'edited later\n',
  ]);
});

test('if only the contents are removed from the store, the present ones are read where they are the same', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  const [store = ''] = readdirSync(join(env.XDG_STATE_HOME, 'collab/store'));
  rmSync(join(env.XDG_STATE_HOME, 'collab/store', store, 'blobs'), { recursive: true });
  const run = begin(one);
  expect(await run.fill()).toBeNull();
  expect(readdirSync(join(run.review ?? '', 'src'))).toHaveLength(120);
  expect(readFileSync(join(run.review ?? '', 'src/1.txt'), 'utf8')).toBe('changed\n');
});

test('the next process of the run gets the mark of an early session', async () => {
  const { repository, env } = scratch();
  const { begin } = await prepare(repository, env);
  begin(one).markEarly('session/1', true);
  const next = begin(one);
  expect([next.isEarly('session/1'), next.isEarly('session/2'), begin(two).isEarly('session/1')]).toEqual([
    true,
    false,
    false,
  ]);
  next.markEarly('session/1', false);
  expect(begin(one).isEarly('session/1')).toBe(false);
});
