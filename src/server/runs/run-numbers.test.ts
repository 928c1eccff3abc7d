import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { openConversations, type ServedRun } from '../conversations/conversations.ts';
import { databaseNumbers, folderNumbers } from './run-numbers.ts';

test('runs in folders and turns of conversations are counted; those that ended long ago get no more records', async () => {
  const clock = createManualClock();
  const conversations = openConversations(scratchFolder(), clock);
  const place = conversations.place('acme', 'first');
  const review = runOf('r1', 'review', 'running');
  const turns = [runOf('t1', 'turn', 'ended'), runOf('t2', 'turn', 'waiting')];
  conversations.change(place, (before) => ({ ...before, runs: [review, ...turns] }));
  const numbered = folderNumbers({ conversations, engine: engineWith(place.home) });
  const now = clock.now();
  expect(await numbered.read(now + 1)).toEqual({
    runs: [
      { kind: 'review', state: 'running', outcome: '', runs: 1 },
      { kind: 'unknown', state: 'ended', outcome: 'clean', runs: 1 },
      { kind: 'turn', state: 'ended', outcome: '', runs: 1 },
      { kind: 'turn', state: 'waiting', outcome: '', runs: 1 },
    ],
    recorded: [
      { runId: 'r1', path: '/runs/r1', last: null },
      { runId: 't2', path: expect.stringMatching(/turns.t2$/), last: null },
    ],
  });
  expect((await numbered.read(now)).recorded.map(({ runId }) => runId)).toEqual(['r1', 't1', 't2']);
});

test('runs in a database are counted in the words of the API, and records are read from the last look on', async () => {
  const clock = createManualClock();
  const asked: number[] = [];
  const numbers = {
    counts: async () => [
      { kind: 'workflow', state: 'driven', outcome: 'none', runs: 3 },
      { kind: 'review', state: 'done', outcome: 'clean', runs: 2 },
    ],
    recorded: async (since: number) => {
      asked.push(since);
      return [{ runId: 'a', last: 7 }];
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two queries that are read
  const numbered = databaseNumbers({ numbers } as unknown as Pick<DatabaseEngine, 'numbers'>, clock);
  const first = clock.now();
  expect(await numbered.read(1_000_000)).toEqual({
    runs: [
      { kind: 'run', state: 'running', outcome: '', runs: 3 },
      { kind: 'review', state: 'ended', outcome: 'clean', runs: 2 },
    ],
    recorded: [{ runId: 'a', path: 'a', last: 7 }],
  });
  await clock.advance(5000);
  await numbered.read(1_000_000);
  expect(asked).toEqual([400_000, first - 600_000]);
});

function runOf(run_id: string, kind: ServedRun['kind'], state: ServedRun['state']): ServedRun {
  return { run_id, kind, state, title: '', subject: null, starts: 1, grants: [], token: null };
}

/** A home with a review that runs, and a run that ended in 1970. */
function engineWith(own: string): Engine {
  const runs = [
    { run: 'r1', kind: 'review', state: 'running', outcome: null, ended_at: null },
    { run: 'gone', kind: null, state: 'ended', outcome: 'clean', ended_at: '1970-01-01T00:00:00Z' },
  ];
  const engine = {
    list: async (home: string) => (home === own ? [{ runId: 'r1', path: '/runs/r1' }] : []),
    describeAll: async (home: string) => (home === own ? runs : []),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that are called
  return engine as unknown as Engine;
}
