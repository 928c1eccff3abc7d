/**
 * The conversations of every tenant, as files. An id of a client is never a piece of a path (X002-26): a tenant's folder and a
 * conversation's are named by digests. The runs of the tenant `local` are the command line's.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { makeHome, writeAtomically } from '../../runs/folder/run-folder.ts';

/** Who works on this machine, by the command line or by a page that it serves. */
export const localTenant = 'local';

const servedRunSchema = z.object({
  run_id: z.string(),
  kind: z.enum(['turn', 'review', 'workflow', 'consult']),
  /** What was asked for, in one line. */
  title: z.string(),
  state: z.enum(['running', 'waiting', 'ended']),
  /** How often a server began to drive it: 1, and one more for each restart. */
  starts: z.int().positive(),
});
export type ServedRun = z.infer<typeof servedRunSchema>;

/** How full the context was when the last turn had been answered, in the levels of specification 002. */
export const contextSchema = z.object({
  usage_percent: z.number().nonnegative(),
  warning_level: z.enum(['normal', 'warning', 'critical', 'blocked']),
});
export type ConversationContext = z.infer<typeof contextSchema>;

const conversationSchema = z.object({
  schema: z.literal('collab.conversation/v1'),
  tenant_id: z.string(),
  conversation_id: z.string(),
  /** Null until the first run has ended. */
  title: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** False once its context is full (X002-7). */
  can_continue: z.boolean(),
  /** Null where no turn has told it. */
  context: contextSchema.nullable().default(null),
  /** The oldest first. */
  runs: z.array(servedRunSchema),
});
export type ServedConversation = z.infer<typeof conversationSchema>;

/** Where a conversation is, whether it has begun or not. */
export interface ConversationPlace {
  readonly tenant: string;
  readonly id: string;
  /** Of the tenant's runs and conversations. */
  readonly home: string;
  readonly folder: string;
}

export interface Conversations {
  place(tenant: string, id: string): ConversationPlace;
  /** Null where nothing was begun there. @throws CollabError `internal` for a file that is none of ours */
  read(place: ConversationPlace): ServedConversation | null;
  /** Begins it where it is not there. Only for the holder of its lock. */
  change(
    place: ConversationPlace,
    next: (conversation: ServedConversation) => ServedConversation,
  ): ServedConversation;
  /** Those that a server began for a tenant, in no order. */
  list(tenant: string): readonly ServedConversation[];
  /** Those of all tenants. */
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
    mkdirSync(where.folder, { recursive: true, mode: 0o700 });
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

/** Short enough for every file system, and no two alike. */
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
  if (!existsSync(file)) return null;
  try {
    return conversationSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CollabError('internal', `${file} is not what a server wrote`, {
      hint: 'Move the folder away; its conversation is lost then.',
      details: { file },
      cause,
    });
  }
}

function recordFile(folder: string): string {
  return join(folder, 'conversation.json');
}
