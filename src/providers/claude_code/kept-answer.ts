/**
 * Stores the answer of a session's last turn the moment it arrives: Claude Code writes its own transcript a little later and
 * is killed together with us. This saves repeating a call that was paid for.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { usageSchema } from '../../events/collab-event.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { Harvest } from '../contract/contract.ts';
import { isTryOf } from './call-line.ts';

const answerSchema = z.object({ callId: z.string(), text: z.string(), usage: usageSchema.nullable() });
export type KeptAnswer = z.infer<typeof answerSchema>;

/** Writes the answer at once and atomically, because this process may end right after. */
export function keepAnswer(folder: string, sessionId: string, answer: KeptAnswer): void {
  makeFolder(folder);
  writeAtomically(join(folder, `${sessionId}.json`), JSON.stringify(answer));
}

/** Returns null if the session's last answer belongs to another call, or if there is none. */
export function readKeptAnswer(folder: string, sessionId: string, callId: string): Harvest | null {
  const answer = answerSchema.safeParse(read(join(folder, `${sessionId}.json`)));
  if (!answer.success || !isTryOf(answer.data.callId, callId)) return null;
  return { kind: 'answered', text: answer.data.text, usage: answer.data.usage };
}

function read(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch {
    // No turn of this session was completed here.
    return null;
  }
}
