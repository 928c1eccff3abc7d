import { basename, join } from 'node:path';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import type { ConversationPlace, ServedRun } from './conversations.ts';

/** Returns a run's folder: a turn's is in its conversation, a protocol run's is where the command line looks for it. */
export function runFolderOf(
  { home, folder }: ConversationPlace,
  run: Pick<ServedRun, 'kind' | 'run_id'>,
): string {
  return run.kind === 'turn' ? join(folder, 'turns', run.run_id) : join(home, 'runs', run.run_id);
}

/** Returns the folder under a name that is unique across tenants. */
export function conversationFolder({ folder }: ConversationPlace): ConversationFolder {
  return { id: basename(folder), path: folder };
}
