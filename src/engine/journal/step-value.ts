/** Converts a step's value between memory and record: small ones in the line, large ones in a blob. */
import { z } from 'zod';
import type { CollabEventOf } from '../../events/collab-event.ts';
import { blobThresholdBytes, readBlob, writeBlob } from './blobs.ts';

export type Stored = Pick<CollabEventOf<'step.ended'>, 'value' | 'value_ref'>;

export function storeValue(runFolder: string, value: unknown): Stored {
  const text = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(text) > blobThresholdBytes) return { value_ref: writeBlob(runFolder, text) };
  return { value: z.json().parse(JSON.parse(text)) };
}

/** Returns the value's JSON. */
export function loadJson(runFolder: string, stored: Stored): string {
  return stored.value_ref === undefined
    ? JSON.stringify(stored.value ?? null)
    : readBlob(runFolder, stored.value_ref);
}
