import { basename, join } from 'node:path';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import type { ConversationPlace, ServedRun } from './conversations.ts';

/** A turn lies beside what was said in its conversation, a run of the protocol where the command line looks for it. */
export function runFolderOf(
  { home, folder }: ConversationPlace,
  run: Pick<ServedRun, 'kind' | 'run_id'>,
): string {
  return run.kind === 'turn' ? join(folder, 'turns', run.run_id) : join(home, 'runs', run.run_id);
}

/** Under the name that no other tenant's has. */
export function conversationFolder({ folder }: ConversationPlace): ConversationFolder {
  return { id: basename(folder), path: folder };
}
