/**
 * The messages of one run, in the format of specification 003 (X002-22): kept beside the run, so that its end never
 * changes.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { getConversationThread, type ConversationHistory } from '../../providers/history/history.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

/** Keeps the messages from the first one of the run to the end of the thread. */
export function keepMessages(runFolder: string, history: ConversationHistory, firstId: string): void {
  const thread = getConversationThread(history);
  const first = thread.findIndex(({ id }) => id === firstId);
  writeAtomically(messagesFile(runFolder), JSON.stringify(first < 0 ? [] : thread.slice(first)));
}

/** Returns null if the run has no messages. */
export function readMessages(runFolder: string): readonly object[] | null {
  const text = readIfThere(messagesFile(runFolder));
  return text === null ? null : z.array(z.looseObject({})).parse(JSON.parse(text));
}

function messagesFile(runFolder: string): string {
  return join(runFolder, 'messages.json');
}
