/**
 * A conversation as the routes show it: started by a server, by `collab chat`, or by a run of the command line, which is a
 * conversation of its own.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { getConversationThread, type HistoryMessage } from '../../providers/history/history.ts';
import {
  hasHistory,
  listConversations,
  readConversation,
  type ConversationFolder,
} from '../../runs/conversation/store.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { localTenant } from '../../access/speaker.ts';
import { groupBy } from '../../review/group-by.ts';
import type { Conversations, ServedConversation } from './conversations.ts';
import { messagesFor } from './shown-messages.ts';
import { momentSchema } from './timestamps.ts';
import { runSubjectSchema } from '../runs/run-subject.ts';
import { summariseRun, type RunPlace, type RunListing } from '../runs/run-view.ts';
import type { TenantRuns } from '../runs/tenant-runs.ts';

export const conversationSummarySchema = z.object({
  conversation_id: z.string(),
  title: z.string().nullable(),
  /** The title as a code, if it is that of the first run and not in the user's own words. */
  subject: runSubjectSchema.nullable(),
  created_at: momentSchema,
  updated_at: momentSchema,
  /** The run that is active or waits for an answer. */
  running_run_id: z.string().nullable(),
  /** True if that run waits for an answer. */
  is_waiting: z.boolean(),
  /** False if its context is full, or if only `collab chat` can continue it. */
  can_continue: z.boolean(),
});
export type ConversationListing = z.infer<typeof conversationSummarySchema>;

/** An entry of a list: its sort key, and the sources of its other fields. */
export interface ConversationEntry {
  readonly id: string;
  readonly updatedAt: string;
  readonly record: ServedConversation | null;
  /** The folder of `collab chat`. */
  readonly chat: ConversationFolder | null;
  /** Sorted newest first. */
  readonly runs: readonly RunPlace[];
}

export interface ConversationSources {
  readonly conversations: Conversations;
  readonly tenantRuns: TenantRuns;
}

/** Lists a tenant's conversations, in no order. */
export async function listConversationEntries(
  sources: ConversationSources,
  tenant: string,
): Promise<readonly ConversationEntry[]> {
  const { conversations, tenantRuns } = sources;
  const recorded = conversations.list(tenant);
  const records = new Map(recorded.map((record) => [record.conversation_id, record]));
  const chats = new Map(chatsOf(sources, tenant).map((chat) => [chat.id, chat]));
  const runs = groupBy(await tenantRuns.all(tenant, recorded), ({ conversationId }) => conversationId);
  const ids = [...new Set([...records.keys(), ...chats.keys(), ...runs.keys()])];
  return ids.map((id) => entryOf(id, records.get(id) ?? null, chats.get(id) ?? null, runs.get(id) ?? []));
}

/** Sorts by the last change. */
export function keyOfEntry({ updatedAt, id }: ConversationEntry): string {
  return `${updatedAt}~${id}`;
}

export async function summariseConversation(
  engine: Engine,
  entry: ConversationEntry,
): Promise<ConversationListing> {
  const { id, record, chat, runs, updatedAt } = entry;
  const history = chat === null ? null : readConversation(chat);
  const [newestRun, ...earlierRuns] = runs;
  const newest = newestRun === undefined ? null : await summariseRun(engine, newestRun);
  const firstRun = earlierRuns.at(-1);
  const first = firstRun === undefined ? newest : await summariseRun(engine, firstRun);
  const title = record?.title ?? history?.title ?? first?.title ?? null;
  return {
    conversation_id: id,
    title,
    subject: title === first?.title ? (first?.subject ?? null) : null,
    created_at: record?.created_at ?? history?.created_at ?? first?.started_at ?? updatedAt,
    updated_at: updatedAt,
    running_run_id: unfinishedRunId(newest),
    is_waiting: newest?.state === 'waiting',
    can_continue: record?.can_continue ?? chat === null,
  };
}

/** Returns the messages in the shape of specification 003: the thread of the active branch. */
export function threadOf({ conversations }: ConversationSources, tenant: string, entry: ConversationEntry) {
  const folder = entry.chat ?? { id: entry.id, path: conversations.place(tenant, entry.id).folder };
  const thread: readonly HistoryMessage[] = hasHistory(folder)
    ? getConversationThread(readConversation(folder))
    : [];
  return messagesFor(tenant, thread);
}
/** Checks only the newest run, because a conversation has one active run at a time. An interrupted run is not active. */
function unfinishedRunId(newest: RunListing | null): string | null {
  return newest?.state === 'running' || newest?.state === 'waiting' ? newest.run_id : null;
}

/** Lists the owner's own chats; the folders of a server's conversations are next to them. */
function chatsOf({ conversations }: ConversationSources, tenant: string): readonly ConversationFolder[] {
  if (tenant !== localTenant) return [];
  const { home } = conversations.place(tenant, tenant);
  return listConversations(home).filter(({ id }) => !id.startsWith('web-'));
}

function entryOf(
  id: string,
  record: ServedConversation | null,
  chat: ConversationFolder | null,
  runs: readonly RunPlace[],
): ConversationEntry {
  const changes = [
    ...(record === null ? [] : [Date.parse(record.updated_at)]),
    ...(chat === null ? [] : [changedAt(chat.path)]),
    ...runs.map(({ path, shared }) => shared?.changedMs ?? changedAt(path)),
  ];
  const updatedAt = new Date(Math.max(...changes)).toISOString();
  return { id, updatedAt, record, chat, runs };
}

/** Returns the time of the last write there, in whole milliseconds. */
function changedAt(folder: string): number {
  const times = [folder, journalFile(folder)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  );
  return Math.floor(Math.max(...times.map((time) => time ?? 0)));
}
