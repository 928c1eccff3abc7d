/**
 * The conversations of every tenant, as files. A client's id is never part of a path (X002-26): the folders of tenants and
 * conversations are named by digests. The runs of the tenant `local` are the command line's.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localTenant } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { runSubjectSchema } from '../runs/run-subject.ts';
import { sha256 } from '../../text/digest.ts';
import { makeHome } from '../../runs/folder/run-folder.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

const servedRunSchema = z.object({
  run_id: z.string(),
  kind: z.enum(['turn', 'review', 'workflow', 'fix', 'consult']),
  /** The request in one line. */
  title: z.string(),
  /** The title as a code; null if it is in the user's own words, and in a file of an earlier version. */
  subject: runSubjectSchema.nullable().default(null),
  state: z.enum(['running', 'waiting', 'ended']),
  /** How often a server started to drive it: 1, and one more for each restart. */
  starts: z.int().positive(),
  /** The tenant's grants when the run was started; none in a file of version 0.1.0. */
  grants: z.array(z.string()).default([]),
  /** The id of the token that started the run, which ends with it; null if no token was required. */
  token: z.string().nullable().default(null),
});
export type ServedRun = z.infer<typeof servedRunSchema>;

/** How full the context was after the last answered turn, in the levels of specification 002. */
export const contextSchema = z.object({
  usage_percent: z.number().nonnegative(),
  warning_level: z.enum(['normal', 'warning', 'critical', 'blocked']),
});
export type ConversationContext = z.infer<typeof contextSchema>;

const conversationSchema = z.object({
  schema: z.literal('collab.conversation/v1'),
  tenant_id: z.string(),
  conversation_id: z.string(),
  /** The title; null until the first run has ended. */
  title: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** False once its context is full (X002-7). */
  can_continue: z.boolean(),
  /** The context; null if no turn has reported it. */
  context: contextSchema.nullable().default(null),
  /** Sorted oldest first. */
  runs: z.array(servedRunSchema),
});
export type ServedConversation = z.infer<typeof conversationSchema>;

/** The place of a conversation, whether or not it exists yet. */
export interface ConversationPlace {
  readonly tenant: string;
  readonly id: string;
  /** The folder of the tenant's runs and conversations. */
  readonly home: string;
  readonly folder: string;
}

export interface Conversations {
  place(tenant: string, id: string): ConversationPlace;
  /** Returns null if there is no conversation. @throws CollabError `internal` for a file that no server wrote */
  read(place: ConversationPlace): ServedConversation | null;
  /** Changes a conversation, or creates it if it is missing. Only for the holder of its lock. */
  change(
    place: ConversationPlace,
    next: (conversation: ServedConversation) => ServedConversation,
  ): ServedConversation;
  /** Lists the conversations that a server started for a tenant, in no order. */
  list(tenant: string): readonly ServedConversation[];
  /** Lists the conversations of all tenants. */
  all(): readonly ServedConversation[];
}

export function openConversations(home: string, clock: Clock): Conversations {
  const homeOf = (tenant: string): string =>
    tenant === localTenant ? home : join(home, 'tenants', keyOf(tenant));

  function place(tenant: string, id: string): ConversationPlace {
    const own = homeOf(tenant);
    return { tenant, id, home: own, folder: join(own, 'conversations', `web-${keyOf(`${tenant}/${id}`)}`) };
  }

  function change(
    where: ConversationPlace,
    next: (conversation: ServedConversation) => ServedConversation,
  ): ServedConversation {
    const now = new Date(clock.now()).toISOString();
    const before = readRecord(where.folder) ?? begun(where, now);
    const after = { ...next(before), updated_at: now };
    makeHome(where.home, 'conversations');
    makeFolder(where.folder);
    writeAtomically(recordFile(where.folder), `${JSON.stringify(after, null, 2)}\n`);
    return after;
  }

  return {
    place,
    read: ({ folder }) => readRecord(folder),
    change,
    list: (tenant) => recordsBelow(homeOf(tenant)),
    all() {
      const others = join(home, 'tenants');
      const homes = existsSync(others) ? readdirSync(others).map((name) => join(others, name)) : [];
      return [home, ...homes].flatMap(recordsBelow);
    },
  };
}

/** Shortens an id for every file system, without collisions. */
function keyOf(id: string): string {
  return sha256(id).slice(0, 32);
}

function begun({ tenant, id }: ConversationPlace, now: string): ServedConversation {
  return {
    schema: 'collab.conversation/v1',
    tenant_id: tenant,
    conversation_id: id,
    title: null,
    created_at: now,
    updated_at: now,
    can_continue: true,
    context: null,
    runs: [],
  };
}

function recordsBelow(home: string): readonly ServedConversation[] {
  const all = join(home, 'conversations');
  if (!existsSync(all)) return [];
  return readdirSync(all).flatMap((name) => readRecord(join(all, name)) ?? []);
}

function readRecord(folder: string): ServedConversation | null {
  const file = recordFile(folder);
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return conversationSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('internal', `${file} is damaged`, {
      hint: 'Move the folder away; this removes its conversation.',
      details: { file },
      cause,
    });
  }
}

function recordFile(folder: string): string {
  return join(folder, 'conversation.json');
}
