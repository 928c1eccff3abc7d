import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventStream, started } from '../../../test/fixtures/screens/event-streams.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { RunFolder } from './run-folder.ts';
import type { ListedRun } from './listed-run.ts';
import { conversationsOf, listWithIndex, runIndexFile } from './run-index.ts';

function world(...ids: readonly string[]) {
  const home = scratchFolder();
  const runs: RunFolder[] = ids.map((runId) => ({ runId, path: join(home, 'runs', runId) }));
  for (const { path } of runs) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'input.json'), '{}');
    writeFileSync(join(path, 'result.json'), '{}');
  }
  const read: string[] = [];
  const states = new Map<string, string>();
  const describe = async ({ runId }: RunFolder): Promise<ListedRun> => {
    read.push(runId);
    return {
      run: runId,
      kind: 'review',
      state: states.get(runId) ?? 'ended',
      outcome: 'clean',
      findings: { critical: 0, important: 0, minor: 1 },
      started_at: '2026-11-21T09:30:00.000Z',
      ended_at: '2026-11-21T09:31:00.000Z',
      tokens: 12,
      cost_usd: null,
      lead: null,
      advisor: { provider: 'codex', model: null },
      subject: `of ${runId}`,
    };
  };
  const list = () => listWithIndex(home, runs, describe);
  return { home, runs, read, states, list };
}

test('ended runs are read once, and reported the same from the index', async () => {
  const { read, list } = world('b', 'a');
  const first = await list();
  expect(first.map(({ run }) => run)).toEqual(['b', 'a']);
  expect(await list()).toEqual(first);
  expect(read).toEqual(['b', 'a']);
});

test('an unfinished run is read each time', async () => {
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
  '{"schema":"collab.runs/v1","runs":{"a":{"stamp":"","outcome":null,"subject":null}}}',
  '{"schema":"collab.runs/v2","runs":{"a":{"end":{"stamp":"","outcome":null,"subject":null}}}}',
  '{"schema":"collab.runs/v3","runs":{"a":1}}',
])('an index that holds %j is made anew', async (text) => {
  const { home, read, list } = world('a');
  await list();
  const whole = readFileSync(runIndexFile(home), 'utf8');
  writeFileSync(runIndexFile(home), text);
  await list();
  expect([read, readFileSync(runIndexFile(home), 'utf8')]).toEqual([['a', 'a'], whole]);
});

test('a run that another process has taken over since then is read again', async () => {
  const { runs, read, list } = world('a');
  await list();
  const folder = runs[0]?.path ?? '';
  writeFileSync(join(folder, 'lock.2'), '{}');
  utimesSync(folder, 1, 1);
  await list();
  expect(read).toEqual(['a', 'a']);
});

test('the list is complete even if the index cannot be written', async () => {
  const { home, list } = world('a');
  mkdirSync(runIndexFile(home));
  expect(await list()).toHaveLength(1);
});

const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);

/** Writes the first record of each run; its conversation and the run have different ids. */
function withRecords(...runIds: readonly string[]) {
  const made = world(...runIds);
  for (const { runId, path } of made.runs) {
    const [first] = eventStream([started()]);
    const record = { ...first, run_id: runId, conversation_id: `c-${runId}` };
    writeFileSync(join(path, 'journal.jsonl'), `${JSON.stringify(record)}\n`);
  }
  return { ...made, conversations: () => conversationsOf(made.home, made.runs) };
}

test('the conversations of runs are read once, and found in the index without their journals', async () => {
  const { runs, conversations, list, read } = withRecords(...ids);
  const whole = new Map(ids.map((id) => [id, `c-${id}`]));
  await list();
  expect(conversations()).toEqual(whole);
  await list();
  expect(read).toEqual(ids);
  for (const { path } of runs) rmSync(join(path, 'journal.jsonl'));
  expect(conversations()).toEqual(whole);
  await list();
  expect(read).toEqual([...ids, ...ids]);
  expect(conversations()).toEqual(whole);
});

test('a damaged index is rebuilt for conversations too', () => {
  const { home, conversations } = withRecords(...ids);
  const whole = conversations();
  const text = readFileSync(runIndexFile(home), 'utf8');
  writeFileSync(runIndexFile(home), text.slice(0, -40));
  expect(conversations()).toEqual(whole);
  expect(readFileSync(runIndexFile(home), 'utf8')).toBe(text);
});

test('a run without a record has no conversation until it has one', () => {
  const { runs, conversations } = withRecords(...ids);
  const [first] = runs;
  const file = join(first?.path ?? '', 'journal.jsonl');
  const record = readFileSync(file, 'utf8');
  writeFileSync(file, record.slice(0, -20));
  expect(conversations().has('run-0')).toBe(false);
  writeFileSync(file, record);
  expect(conversations().get('run-0')).toBe('c-run-0');
});

test('a removed run is dropped from the index with the next list', async () => {
  const { home, runs, conversations, list } = withRecords(...ids);
  conversations();
  runs.splice(0, 39);
  await list();
  expect(Object.keys(JSON.parse(readFileSync(runIndexFile(home), 'utf8')).runs)).toEqual(['run-39']);
});
