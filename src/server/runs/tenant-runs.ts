/** The runs of a tenant, started by a server, whose records name the conversation, or by the command line. */
import { existsSync } from 'node:fs';
import { listRuns } from '../../runs/folder/run-folder.ts';
import { conversationsOf } from '../../runs/folder/run-index.ts';
import type { ConversationPlace, Conversations, ServedConversation } from '../conversations/conversations.ts';
import { runFolderOf } from '../conversations/run-places.ts';
import type { RunPlace } from './run-view.ts';

export interface TenantRuns {
  /** Newest first. `recorded` are the conversations that servers started for the tenant. */
  all(tenant: string, recorded: readonly ServedConversation[]): Later<readonly RunPlace[]>;
  /** Returns the runs of one conversation, newest first; empty if there is no such conversation. */
  of(place: ConversationPlace): Later<readonly RunPlace[]>;
  /** Returns null if this conversation has no such run. */
  find(place: ConversationPlace, runId: string): Later<RunPlace | null>;
}

/** Folders are read at once, a database is asked. */
type Later<Value> = Value | Promise<Value>;

/** The runs in folders. */
export interface FolderRuns extends TenantRuns {
  all(tenant: string, recorded: readonly ServedConversation[]): readonly RunPlace[];
  of(place: ConversationPlace): readonly RunPlace[];
  find(place: ConversationPlace, runId: string): RunPlace | null;
}

export function openTenantRuns(conversations: Conversations): FolderRuns {
  /** The conversations of the command line's runs, by home and run id. A run never changes its conversation. */
  const known = new Map<string, Map<string, string>>();

  function fromCommandLine(home: string): readonly RunPlace[] {
    const conversationOf = known.get(home) ?? new Map<string, string>();
    known.set(home, conversationOf);
    const runs = listRuns(home);
    const unknown = runs.filter(({ runId }) => !conversationOf.has(runId));
    if (unknown.length > 0) {
      for (const [runId, id] of conversationsOf(home, unknown)) conversationOf.set(runId, id);
    }
    return runs.map(({ runId, path }) => {
      return { runId, path, conversationId: conversationOf.get(runId) ?? runId, known: null };
    });
  }

  function fromRecords(tenant: string, recorded: readonly ServedConversation[]): readonly RunPlace[] {
    return recorded.flatMap(({ conversation_id: conversationId, runs }) => {
      const place = conversations.place(tenant, conversationId);
      const places = runs.map((run) => ({
        runId: run.run_id,
        conversationId,
        path: runFolderOf(place, run),
        known: {
          kind: run.kind,
          title: run.title,
          subject: run.subject,
          state: run.state,
          grants: run.grants,
          token: run.token,
        },
      }));
      return places.filter(({ path }) => existsSync(path));
    });
  }

  function all(tenant: string, recorded: readonly ServedConversation[]): readonly RunPlace[] {
    const ours = fromRecords(tenant, recorded);
    const ids = new Set(ours.map(({ runId }) => runId));
    const { home } = conversations.place(tenant, tenant);
    const others = fromCommandLine(home).filter(({ runId }) => !ids.has(runId));
    return [...ours, ...others].toSorted((one, other) => (one.runId < other.runId ? 1 : -1));
  }

  function of({ tenant, id }: ConversationPlace): readonly RunPlace[] {
    return all(tenant, conversations.list(tenant)).filter(({ conversationId }) => conversationId === id);
  }

  return {
    all,
    of,
    find(place, runId) {
      const own = conversations.read(place);
      // A run that a server started is found without reading all the others.
      const recorded = own === null ? [] : fromRecords(place.tenant, [own]);
      const isWanted = (run: RunPlace): boolean => run.runId === runId;
      return recorded.find(isWanted) ?? of(place).find(isWanted) ?? null;
    },
  };
}
