import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { removeStores } from '../../git/store/prune.ts';
import { systemClock } from '../../system/clock.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { prepareReview, takeChange } from '../review/prepare.ts';
import { openAgentFolders } from './agent-folders.ts';
import { removeDeadCopies } from './dead-copies.ts';

/** Reads the change of the working tree like a run with this id and a lead that reads files. */
async function prepare(repository: ScratchRepository, env: Readonly<Record<string, string>>) {
  const options = reviewOptions({
    cwd: repository.root,
    env,
    change: { kind: 'working_tree' },
    settings: { advisor: 'static_review' },
    lead: { provider: 'claude_code', model: null, chosenBy: 'asked' },
  });
  const prepared = await takeChange(options, { keeps: true });
  const input = await prepareReview(options, prepared);
  const begin = (runId: string) => {
    const folders = openAgentFolders({
      runId,
      runFolder: join(scratchFolder(), runId),
      env,
      clock: systemClock,
      input,
      leadReads: true,
      files: input.change.files,
    });
    const fill = async () => {
      const remark = await folders.copyFiles(prepared.read.counted.files.map(({ path }) => path));
      await folders.whole();
      return remark;
    };
    return { ...folders, fill };
  };
  return { input, begin };
}

function scratch() {
  const repository = scratchRepository();
  for (let index = 0; index < 120; index += 1) repository.write(`src/${index}.txt`, 'text\n');
  repository.commit('base');
  repository.write('src/1.txt', 'changed\n');
  return { repository, env: { ...repository.env, XDG_STATE_HOME: scratchFolder() } };
}

const [one, two] = ['20261121-093000-aaaa', '20261121-093001-bbbb'];

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
