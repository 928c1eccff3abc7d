/**
 * Finds the session of an agent that contains a thread. Every answer is marked with its session and call; a session
 * contains a thread up to such an answer as long as that call is its last one. After a stopped or failed call, on
 * another branch and after another lead there is none.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { HistoryMessage } from '../../providers/history/history.ts';
import type { NewMessage } from '../../providers/history/history-edit.ts';
import type { ConversationFolder } from './store.ts';
import { readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

export interface AgentSessions {
  /** Records a call before it is made in the session. */
  begin(sessionId: string, callId: string): void;
  mark(sessionId: string, callId: string): NonNullable<NewMessage['opaque']>;
  /** Returns the session that contains the thread up to its last answer; null if the thread must be sent in full. */
  knowing(thread: readonly HistoryMessage[]): string | null;
}

export function openAgentSessions({ path }: ConversationFolder, provider: string): AgentSessions {
  const file = join(path, 'sessions.json');
  const lastCalls = new Map(Object.entries(readLastCalls(file)));
  const name = `${provider} session`;
  return {
    begin(sessionId, callId) {
      lastCalls.set(sessionId, callId);
      writeAtomically(file, `${JSON.stringify(Object.fromEntries(lastCalls))}\n`);
    },
    mark: (sessionId, callId) => ({ model: name, values: [sessionId, callId] }),
    knowing(thread) {
      const opaque = thread.findLast(({ role }) => role === 'assistant')?.opaque;
      const mark = markSchema.safeParse(opaque?.model === name ? opaque.values : null);
      if (!mark.success) return null;
      const [sessionId, callId] = mark.data;
      return lastCalls.get(sessionId) === callId ? sessionId : null;
    },
  };
}

const markSchema = z.tuple([z.string(), z.string()]);
const lastCallsSchema = z.record(z.string(), z.string());

/** Without a readable file, every session counts as unknown: the thread is sent in full. */
function readLastCalls(file: string): Record<string, string> {
  try {
    return lastCallsSchema.parse(JSON.parse(readText(file)));
  } catch {
    return {};
  }
}
