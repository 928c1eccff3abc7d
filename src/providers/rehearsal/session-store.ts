/** Stores a rehearsed agent's sessions in the run's state folder, so that they outlive a killed process. */
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errors/has-code.ts';
import { usageSchema } from '../../events/collab-event.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { factsOf, readIfThere } from '../../system/files/read.ts';
import { writeAtomically, writeNew } from '../../system/files/write.ts';
import type { Harvest } from '../contract/contract.ts';

const recordSchema = z.object({
  /** Id of the session's last call; null if there was none. */
  call_id: z.string().nullable(),
  state: z.enum(['opened', 'begun', 'answered', 'failed']),
  /** The scripted outcome of a lost call. */
  harvest: z.enum(['answered', 'interrupted', 'not_sent']).nullable(),
  text: z.string().nullable(),
  usage: usageSchema.nullable(),
});
export type SessionRecord = z.infer<typeof recordSchema>;

export interface SessionStore {
  /** Makes a new session, named after `wanted`. */
  open(wanted: string): string;
  has(sessionId: string): boolean;
  write(sessionId: string, record: SessionRecord): void;
  /** Returns the outcome of the lost call: `callId` is its own id, or the common start of the ids of all its attempts. */
  harvest(sessionId: string, callId: string): Harvest;
}

export function createSessionStore(stateFolder: string): SessionStore {
  const folder = join(realPlace(stateFolder), 'rehearsal', 'sessions');
  makeFolder(folder);
  const pathOf = (sessionId: string): string => join(folder, `${encodeURIComponent(sessionId)}.json`);
  return {
    open(wanted) {
      for (let number = 1; ; number += 1) {
        const sessionId = number === 1 ? wanted : `${wanted}-${number}`;
        if (createOnce(pathOf(sessionId))) return sessionId;
      }
    },
    has: (sessionId) => factsOf(pathOf(sessionId)) !== null,
    write: (sessionId, record) => writeAtomically(pathOf(sessionId), JSON.stringify(record), unsynced),
    harvest: (sessionId, callId) => harvestOf(readRecord(pathOf(sessionId)), callId),
  };
}

/** A power loss ends the rehearsal anyway. */
const unsynced = { synced: false };

const opened: SessionRecord = { call_id: null, state: 'opened', harvest: null, text: null, usage: null };

function createOnce(path: string): boolean {
  try {
    writeNew(path, JSON.stringify(opened), unsynced);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function readRecord(path: string): SessionRecord | null {
  const text = readIfThere(path);
  return text === null ? null : recordSchema.parse(JSON.parse(text));
}

/** Returns the outcome. If the session's last call is an earlier, finished one, the lost one was never sent. */
function harvestOf(record: SessionRecord | null, callId: string): Harvest {
  if (record === null || !`${record.call_id}/`.startsWith(`${callId}/`)) return { kind: 'not_sent' };
  const said = record.harvest ?? (record.state === 'answered' ? 'answered' : 'interrupted');
  if (said !== 'answered') return { kind: said };
  return record.text === null
    ? { kind: 'interrupted' }
    : { kind: 'answered', text: record.text, usage: record.usage };
}
