/**
 * The sessions of a lead built on a bare model: its histories, kept in the run's private folder so that they outlive
 * the process.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { usageSchema } from '../../events/collab-event.ts';
import type { Harvest } from '../../providers/contract/contract.ts';
import { modelMessageSchema } from '../../providers/contract/model.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

const sessionSchema = z.object({
  schema: z.literal('collab.model-session/v1'),
  /** The session's last call. */
  call_id: z.string(),
  /** `dropped`: the call was too long for the model; the history is as it was before the call. */
  state: z.enum(['begun', 'answered', 'failed', 'dropped']),
  text: z.string().nullable(),
  usage: usageSchema.nullable(),
  history: z.array(modelMessageSchema),
});
export type ModelSession = Omit<z.infer<typeof sessionSchema>, 'schema'>;

export interface ModelSessions {
  /** Returns null if there is no such session. */
  read(sessionId: string): ModelSession | null;
  write(sessionId: string, session: ModelSession): void;
  /** Looks up a lost call: `callId` is its id, or the prefix that the ids of all its attempts share. */
  harvest(sessionId: string, callId: string): Harvest;
}

export function openModelSessions(stateFolder: string, provider: string): ModelSessions {
  const folder = join(realPlace(stateFolder), provider, 'sessions');
  makeFolder(folder);
  const fileOf = (sessionId: string): string => join(folder, `${encodeURIComponent(sessionId)}.json`);
  const read = (sessionId: string) => readSession(fileOf(sessionId));
  return {
    read,
    write: (sessionId, session) =>
      writeAtomically(fileOf(sessionId), JSON.stringify({ schema: 'collab.model-session/v1', ...session })),
    harvest: (sessionId, callId) => harvestOf(read(sessionId), callId),
  };
}

function readSession(file: string): ModelSession | null {
  const text = readIfThere(file);
  return text === null ? null : sessionSchema.parse(JSON.parse(text));
}

/** The last call may be an earlier, finished one: then the lost call was never sent. */
function harvestOf(session: ModelSession | null, callId: string): Harvest {
  if (session === null || !`${session.call_id}/`.startsWith(`${callId}/`)) return { kind: 'not_sent' };
  if (session.state === 'dropped') return { kind: 'not_sent' };
  if (session.state !== 'answered' || session.text === null) return { kind: 'interrupted' };
  return { kind: 'answered', text: session.text, usage: session.usage };
}
