/** What was said in one run, in the shape of specification 003 (X002-22): kept beside the run, so that its end is told alike ever after. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { getConversationThread, type ConversationHistory } from '../../providers/history/history.ts';
import { writeAtomically } from '../folder/run-folder.ts';

/** From the message with which the run began to the end of the thread. */
export function keepMessages(runFolder: string, history: ConversationHistory, firstId: string): void {
  const thread = getConversationThread(history);
  const first = thread.findIndex(({ id }) => id === firstId);
  writeAtomically(messagesFile(runFolder), JSON.stringify(first < 0 ? [] : thread.slice(first)));
}

/** Null where nothing was said in the run. */
export function readMessages(runFolder: string): readonly unknown[] | null {
  const file = messagesFile(runFolder);
  return existsSync(file) ? z.array(z.json()).parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function messagesFile(runFolder: string): string {
  return join(runFolder, 'messages.json');
}
