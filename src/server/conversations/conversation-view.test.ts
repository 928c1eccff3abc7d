import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { TenantRuns } from '../runs/tenant-runs.ts';
import { keyOfEntry, listConversationEntries } from './conversation-view.ts';
import { openConversations } from './conversations.ts';

test('conversations sort by their last change; a run without a folder counts for none', async () => {
  const clock = createManualClock();
  const conversations = openConversations(scratchFolder(), clock);
  const touch = (id: string) => conversations.change(conversations.place('acme', id), (before) => before);
  for (const id of ['b', 'a', 'c', 'a']) {
    touch(id);
    await clock.advance(1000);
  }
  const gone = { runId: 'r', path: '/nowhere/r', conversationId: 'b', known: null };
  const tenantRuns: TenantRuns = { ...noRuns, all: () => [gone] };
  const entries = await listConversationEntries({ conversations, tenantRuns }, 'acme');
  const keyed = entries.map((entry) => ({ key: keyOfEntry(entry), id: entry.id }));
  expect(keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ id }) => id)).toEqual([
    'b',
    'c',
    'a',
  ]);
  expect(entries.find(({ id }) => id === 'b')?.runs).toEqual([gone]);
});

const noRuns: TenantRuns = { all: () => [], of: () => [], find: () => null };
