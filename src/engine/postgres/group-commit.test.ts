import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createGroupCommit, type Append, type GroupCommit } from './group-commit.ts';

/** The clock and the database of a process: each statement takes so long, and then these runs are its own. */
function commitsWith(replies: { readonly tookMs: number; readonly ours: readonly string[] }[]) {
  let nowMs = 0;
  const statements: unknown[] = [];
  const query = (_sql: string, values: unknown): Promise<{ rows: { id: string }[] }> => {
    const { tookMs, ours } = replies[statements.length] ?? { tookMs: 0, ours: [] };
    statements.push(values);
    nowMs += tookMs;
    return Promise.resolve({ rows: ours.map((id) => ({ id })) });
  };
  const { signal } = new AbortController();
  // oxlint-disable-next-line no-unsafe-type-assertion -- one of the overloads of `query`
  const pool = { query } as unknown as Parameters<typeof createGroupCommit>[0];
  const commits = createGroupCommit(pool, signal, () => nowMs);
  return { statements, commits, passes: (ms: number) => (nowMs += ms) };
}

const append: Append = {
  runId: 'a',
  generation: 1,
  records: [{ seq: 1, type: 'step.begun', body: '{}' }],
  blobs: [],
};

test('a reply that was long on its way does not count: the fence is asked again, and may say that the run is lost', async () => {
  const { commits, statements } = commitsWith([
    { tookMs: 3000, ours: ['a'] },
    { tookMs: 1, ours: [] },
  ]);
  await expect(commits.append(append)).rejects.toMatchObject({ code: 'locked' });
  expect(statements).toHaveLength(2);
  // Without the records: they are written.
  expect(statements[1]).toEqual([['a'], [1]]);
});

test('a run that is still ours after a late reply goes on', async () => {
  const { commits, statements } = commitsWith([
    { tookMs: 3000, ours: ['a'] },
    { tookMs: 1, ours: ['a'] },
  ]);
  await commits.append(append);
  expect(statements).toHaveLength(2);
});

test('records are sent once, also if each reply is late for a while', async () => {
  const late = { tookMs: 3000, ours: ['a'] };
  const { commits, statements } = commitsWith([late, late, late, { tookMs: 1, ours: ['a'] }]);
  await commits.append(append);
  expect(statements.map((values) => JSON.stringify(values).includes('step.begun'))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a reply in time is enough', async () => {
  const { commits, statements } = commitsWith([{ tookMs: 1, ours: ['a'] }]);
  await commits.append(append);
  expect(statements).toHaveLength(1);
});

test('what runs write during a statement shares the next one, each text compressed', async () => {
  const { commits, statements } = commitsWith([
    { tookMs: 1, ours: ['a'] },
    { tookMs: 1, ours: ['a', 'b'] },
  ]);
  const blobs = [{ sha: 'c0', text: 'ä long text' }];
  const records = [
    { seq: 4, type: 'turn.started', body: '{"n":1}' },
    { seq: 5, type: 'title', body: '{"n":2}' },
  ];
  await Promise.all([
    commits.append(append),
    commits.append(append),
    commits.append({ runId: 'b', generation: 2, records, blobs }),
  ]);
  const [, values] = z.array(z.array(z.unknown())).parse(statements);
  expect(values?.slice(0, 8)).toEqual([
    ['a', 'b', 'b'],
    [1, 2, 2],
    [1, 4, 5],
    ['step.begun', 'turn.started', 'title'],
    ['{}', '{"n":1}', '{"n":2}'],
    ['b'],
    ['c0'],
    [12],
  ]);
  const [packed] = z.array(z.instanceof(Buffer)).parse(values?.[8]);
  expect(gunzipSync(packed ?? '').toString()).toBe('ä long text');
  expect(statements).toHaveLength(2);
});

test('a run is confirmed by the last reply for a second, then by the fence', async () => {
  const ours = { tookMs: 1, ours: ['a'] };
  const { commits, statements, passes } = commitsWith([ours, ours]);
  await commits.append(append);
  passes(900);
  expect(commits.confirm(append)).toBeNull();
  passes(100);
  await commits.confirm(append);
  expect(statements).toHaveLength(2);
  expect(statements[1]).toEqual([['a'], [1]]);
  expect(commits.confirm(append)).toBeNull();
});

test('a run that was taken over meanwhile is not confirmed', async () => {
  const { commits, passes } = commitsWith([
    { tookMs: 1, ours: ['a'] },
    { tookMs: 1, ours: [] },
  ]);
  await commits.append(append);
  passes(3000);
  await expect(commits.confirm(append)).rejects.toMatchObject({ code: 'locked' });
});

test.each([
  ['taken again', (commits: GroupCommit) => commits.confirm({ ...append, generation: 2 })],
  ['left', (commits: GroupCommit) => (commits.forget('a'), commits.confirm(append))],
])('replies about a run count no more once it was %s', async (_how, confirm) => {
  const ours = { tookMs: 1, ours: ['a'] };
  const { commits, statements } = commitsWith([ours, ours]);
  await commits.append(append);
  await confirm(commits);
  expect(statements).toHaveLength(2);
});
