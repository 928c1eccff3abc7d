/**
 * A conversation with the lead: what is said is a tree of messages on the disk (specification 003), what happens is a journal
 * beside it. A run of the protocol is none of its business; its result can be told to the lead.
 */
import { CollabError } from '../errors/collab-error.ts';
import type { CollabEvent } from '../events/collab-event.ts';
import { removeConversation } from './conversation-store.ts';
import { openDialogue, type Dialogue, type DialogueOptions } from './dialogue.ts';
import { openJournal, type Journal } from './journal.ts';
import { takeLock } from './run-lock.ts';

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
    emit(body, { provider, model }) {
      if (body.type === 'turn.started') turn += 1;
      const agent = { id: 'lead', role: 'lead', provider, ...(model === null ? {} : { model }) } as const;
      journal.append([{ body, turn, agent }]).forEach(onEvent);
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
  const { provider, model } = answerer.identity;
  const agent = { id: 'lead', role: 'lead', provider } as const;
  const journal = openJournal({
    runFolder: folder.path,
    envelope: { runId: folder.id, conversationId: folder.id, tenantId: 'local', agent },
    clock,
  });
  if (journal.past.length > 0) return journal;
  const names = tools.tools.map(({ name }) => name);
  const started = {
    type: 'run.started',
    name: provider,
    ...(model === null ? {} : { model }),
    tools: names,
    cwd,
  } as const;
  journal.append([{ body: started, turn: 0 }]);
  return journal;
}

function refuseSecond(error: unknown): never {
  if (!(error instanceof CollabError) || error.code !== 'locked') throw error;
  throw new CollabError('locked', 'This conversation is open in another process', {
    hint: 'end it there, or begin another one: collab chat',
    cause: error,
  });
}
