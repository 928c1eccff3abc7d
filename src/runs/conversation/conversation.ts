/**
 * A conversation with the lead: what is said is a tree of messages on the disk (specification 003), what happens is a journal
 * beside it. A run of the protocol is none of its business; its result can be told to the lead.
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

export interface Conversation extends Dialogue {
  readonly id: string;
}

/** The caller closes it; the answerer goes with it. @throws CollabError `locked`, `input` for a corrupt history, `journal_corrupt` */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { folder, onEvent } = options;
  const lock = await takeLock(folder.path).catch(refuseSecond);
  const journal = beginJournal(options);
  let turn = 0;
  const dialogue = openDialogue({
    ...options,
    emit(body, identity) {
      if (body.type === 'turn.started') turn += 1;
      journal.append([{ body, turn, agent: agentOf(identity) }]).forEach(onEvent);
    },
  });

  return {
    ...dialogue,
    id: folder.id,
    async close() {
      await dialogue.close();
      journal.close();
      await lock.release();
      // Nothing was said.
      if (dialogue.history().current_node === null) removeConversation(folder);
    },
  };
}

/** Of one who began in another process the journal goes on. */
function beginJournal({ folder, answerer, tools, cwd, clock }: ConversationOptions): Journal {
  const { identity } = answerer;
  const agent = { id: 'lead', role: 'lead', provider: identity.provider } as const;
  const journal = openJournal({
    runFolder: folder.path,
    envelope: { runId: folder.id, conversationId: folder.id, tenantId: 'local', agent },
    clock,
  });
  if (journal.past.length === 0) journal.append([{ body: startOf(identity, tools, cwd), turn: 0 }]);
  return journal;
}

function refuseSecond(error: unknown): never {
  if (!(error instanceof CollabError) || error.code !== 'locked') throw error;
  throw new CollabError('locked', 'This conversation is open in another process', {
    hint: 'end it there, or begin another one: collab chat',
    cause: error,
  });
}
