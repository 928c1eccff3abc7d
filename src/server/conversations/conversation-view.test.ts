import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { emptyHistory } from '../../providers/history/history.ts';
import { createConversationFolder, writeConversation } from '../../runs/conversation/store.ts';
import { openEngine } from '../../runs/engine/open-engine.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { TenantRuns } from '../runs/tenant-runs.ts';
import { keyOfEntry, listConversationEntries, summariseConversation } from './conversation-view.ts';
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

test('a conversation without a run, and one of the terminal, are listed with what is known of them', async () => {
  const clock = createManualClock();
  const conversations = openConversations(scratchFolder(), clock);
  const empty = conversations.place('local', 'empty');
  const { created_at } = conversations.change(empty, (before) => before);
  const chat = createConversationFolder(empty.home, clock);
  const names = { conversationId: chat.id, model: 'm', platform: 'p' };
  const history = emptyHistory({ ...names, title: 'Totals', now: '2026-11-20T09:30:00.000Z' });
  writeConversation(chat, history);
  writeConversation({ id: 'first', path: empty.folder }, history);
  const sources = { conversations, tenantRuns: noRuns };
  const entries = await listConversationEntries(sources, 'local');
  const engine = openEngine({ clock });
  const listed = await Promise.all(entries.map((entry) => summariseConversation(engine, entry)));
  const idle = { subject: null, running_run_id: null, is_waiting: false };
  expect(listed).toEqual([
    {
      ...idle,
      conversation_id: 'empty',
      title: null,
      created_at,
      updated_at: created_at,
      can_continue: true,
    },
    {
      ...idle,
      conversation_id: chat.id,
      title: 'Totals',
      created_at: history.created_at,
      updated_at: expect.stringMatching(/^20.*Z$/),
      can_continue: false,
    },
  ]);
  expect(await listConversationEntries(sources, 'acme')).toEqual([]);
});

const noRuns: TenantRuns = { all: () => [], of: () => [], find: () => null };
