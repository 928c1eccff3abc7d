import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventStream, started } from '../../../test/fixtures/screens/event-streams.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { runIndexFile } from '../../runs/folder/run-index.ts';
import { systemClock } from '../../system/clock.ts';
import { localTenant } from '../../access/speaker.ts';
import { openConversations } from '../conversations/conversations.ts';
import { openTenantRuns } from './tenant-runs.ts';

const ids = Array.from({ length: 40 }, (_, index) => `20260101-0000${10 + index}-abcd`);

function world() {
  const home = scratchFolder();
  const journalOf = (runId: string): string => join(home, 'runs', runId, 'journal.jsonl');
  for (const runId of ids) {
    mkdirSync(join(home, 'runs', runId), { recursive: true });
    writeFileSync(join(home, 'runs', runId, 'input.json'), '{}');
    const record = { ...eventStream([started()])[0], run_id: runId, conversation_id: `c-${runId}` };
    writeFileSync(journalOf(runId), `${JSON.stringify(record)}\n`);
  }
  const server = () => {
    const runs = openTenantRuns(openConversations(home, systemClock));
    return () => runs.all(localTenant, []).map(({ conversationId }) => conversationId);
  };
  return { home, journalOf, server };
}

const whole = ids.map((id) => `c-${id}`).toReversed();

test('a server reads the conversation of a command line run once', () => {
  const { home, journalOf, server } = world();
  const list = server();
  expect(list()).toEqual(whole);
  rmSync(runIndexFile(home));
  for (const runId of ids) rmSync(journalOf(runId));
  expect(list()).toEqual(whole);
});

test('the next server finds the conversations in the index, and a damaged index changes nothing', () => {
  const { home, journalOf, server } = world();
  expect(server()()).toEqual(whole);
  writeFileSync(runIndexFile(home), '{');
  expect(server()()).toEqual(whole);
  for (const runId of ids) rmSync(journalOf(runId));
  expect(server()()).toEqual(whole);
});

test('a removed run leaves the list, and a new one is added', () => {
  const { home, journalOf, server } = world();
  const list = server();
  expect(list()).toEqual(whole);
  const [oldest = ''] = ids;
  rmSync(join(home, 'runs', oldest), { recursive: true });
  const added = '20260102-000000-abcd';
  mkdirSync(join(home, 'runs', added));
  writeFileSync(join(home, 'runs', added, 'input.json'), '{}');
  expect(list()).toEqual([added, ...whole.slice(0, -1)]);
  const record = { ...eventStream([started()])[0], run_id: added, conversation_id: 'c-new' };
  writeFileSync(journalOf(added), `${JSON.stringify(record)}\n`);
  expect(list()).toEqual(['c-new', ...whole.slice(0, -1)]);
});
