import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { RunFolder } from './run-folder.ts';
import { listWithIndex, runIndexFile, type ListedRun } from './run-index.ts';

function world(...ids: readonly string[]) {
  const home = scratchFolder();
  const runs = ids.map((runId): RunFolder => ({ runId, path: join(home, 'runs', runId) }));
  for (const { path } of runs) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'input.json'), '{}');
    writeFileSync(join(path, 'result.json'), '{}');
  }
  const read: string[] = [];
  const states = new Map<string, string>();
  const describe = async ({ runId }: RunFolder): Promise<ListedRun> => {
    read.push(runId);
    return { run: runId, state: states.get(runId) ?? 'ended', outcome: 'clean', subject: `of ${runId}` };
  };
  const list = () => listWithIndex(home, runs, describe);
  return { home, runs, read, states, list };
}

test('runs that have ended are read once, and told the same way from the index', async () => {
  const { read, list } = world('b', 'a');
  const first = await list();
  expect(first.map(({ run }) => run)).toEqual(['b', 'a']);
  expect(await list()).toEqual(first);
  expect(read).toEqual(['b', 'a']);
});

test('a run that has not ended is read each time', async () => {
  const { read, states, list } = world('a');
  states.set('a', 'running');
  expect((await list())[0]?.state).toBe('running');
  states.set('a', 'interrupted');
  expect((await list())[0]?.state).toBe('interrupted');
  expect(read).toEqual(['a', 'a']);
});

test.each(['result.json', 'journal.jsonl', 'input.json'])(
  'a run whose %s was written since is read again',
  async (name) => {
    const { runs, read, list } = world('a');
    await list();
    const file = join(runs[0]?.path ?? '', name);
    writeFileSync(file, '{"more": true}');
    utimesSync(file, 1, 1);
    await list();
    expect(read).toEqual(['a', 'a']);
  },
);

test.each([
  '',
  'garbage',
  '{"schema":"collab.runs/v9","runs":{}}',
  '{"schema":"collab.runs/v1","runs":{"a":1}}',
])('an index that holds %j is made anew', async (text) => {
  const { home, read, list } = world('a');
  await list();
  const whole = readFileSync(runIndexFile(home), 'utf8');
  writeFileSync(runIndexFile(home), text);
  await list();
  expect([read, readFileSync(runIndexFile(home), 'utf8')]).toEqual([['a', 'a'], whole]);
});

test('a run that another process has taken over since is read again', async () => {
  const { runs, read, list } = world('a');
  await list();
  const folder = runs[0]?.path ?? '';
  writeFileSync(join(folder, 'lock.2'), '{}');
  utimesSync(folder, 1, 1);
  await list();
  expect(read).toEqual(['a', 'a']);
});

test('an index that cannot be written leaves the list whole', async () => {
  const { home, list } = world('a');
  mkdirSync(runIndexFile(home));
  expect(await list()).toHaveLength(1);
});
