/**
 * A conversation with the lead: its messages are a tree on the disk (specification 003), and its events are a journal
 * beside it. Runs of the protocol are separate; their results can be passed to the lead.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { agentOf, startOf } from './answerer.ts';
import { removeConversation } from './store.ts';
import { openDialogue, type Dialogue, type DialogueOptions } from './dialogue.ts';
import { openJournal, type Journal } from '../../engine/journal/journal.ts';
import { takeLock } from '../../engine/lock/lock.ts';

export interface ConversationOptions extends Omit<DialogueOptions, 'emit'> {
  readonly cwd: string;
  readonly onEvent: (event: CollabEvent) => void;
}

export interface OpenConversation extends Dialogue {
  readonly id: string;
}

/**
 * Opens a conversation; the caller closes it, which also closes the answerer. @throws CollabError `locked`, `input` for
 * a corrupt history, `journal_corrupt`
 */
export async function openConversation(options: ConversationOptions): Promise<OpenConversation> {
  const { folder, onEvent } = options;
  const lock = await takeLock(folder.path).catch(refuseSecond);
  const journal = beginJournal(options);
  let turn = 0;
  const dialogue = openDialogue({
    ...options,
    emit(body, identity) {
      if (body.type === 'turn.started') turn += 1;
      const events = journal.append([{ body, turn, agent: agentOf(identity) }]);
      journal.sync();
      events.forEach(onEvent);
    },
  });

  return {
    ...dialogue,
    id: folder.id,
    async close() {
      await dialogue.close();
      journal.close();
      await lock.release();
      // No message was added.
      if (dialogue.history().current_node === null) removeConversation(folder);
    },
  };
}

/** Opens the journal; continues it if another process started the conversation. */
function beginJournal({ folder, answerer, tools, cwd, clock }: ConversationOptions): Journal {
  const { identity } = answerer;
  const agent = { id: 'lead', role: 'lead', provider: identity.provider } as const;
  const journal = openJournal({
    runFolder: folder.path,
    envelope: { runId: folder.id, conversationId: folder.id, tenantId: 'local', agent },
    clock,
  });
  if (journal.past.length === 0) journal.append([{ body: startOf(identity, tools, cwd), turn: 0 }]);
  journal.sync();
  return journal;
}

function refuseSecond(error: unknown): never {
  if (!(error instanceof CollabError) || error.code !== 'locked') throw error;
  throw new CollabError('locked', 'This conversation is open in another process', {
    hint: 'end it there, or start another one: collab chat',
    cause: error,
  });
}
