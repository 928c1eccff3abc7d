/**
 * The messages of one run, in the format of specification 003 (X002-22): kept beside the run, so that its end never
 * changes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { getConversationThread, type ConversationHistory } from '../../providers/history/history.ts';
import { writeAtomically } from '../../system/files/write.ts';

/** Keeps the messages from the first one of the run to the end of the thread. */
export function keepMessages(runFolder: string, history: ConversationHistory, firstId: string): void {
  const thread = getConversationThread(history);
  const first = thread.findIndex(({ id }) => id === firstId);
  writeAtomically(messagesFile(runFolder), JSON.stringify(first < 0 ? [] : thread.slice(first)));
}

/** Returns null if the run has no messages. */
export function readMessages(runFolder: string): readonly unknown[] | null {
  const file = messagesFile(runFolder);
  return existsSync(file) ? z.array(z.json()).parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function messagesFile(runFolder: string): string {
  return join(runFolder, 'messages.json');
}
