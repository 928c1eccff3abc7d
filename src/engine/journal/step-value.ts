/** Converts a step's value between memory and record: small ones in the line, large ones in a blob. */
import { z } from 'zod';
import type { CollabEventOf } from '../../events/collab-event.ts';
import type { RunBlobs } from '../store/engine-store.ts';
import { blobThresholdBytes } from './blobs.ts';

export type Stored = Pick<CollabEventOf<'step.ended'>, 'value' | 'value_ref'>;

/** Returns the value's JSON, too. */
export function storeValue(
  blobs: Pick<RunBlobs, 'put'>,
  value: unknown,
): { readonly stored: Stored; readonly json: string } {
  const json = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(json) > blobThresholdBytes) return { stored: { value_ref: blobs.put(json) }, json };
  return { stored: { value: z.json().parse(JSON.parse(json)) }, json };
}

/** Returns the value's JSON. */
export function loadJson(blobs: Pick<RunBlobs, 'get'>, stored: Stored): string | Promise<string> {
  return stored.value_ref === undefined ? JSON.stringify(stored.value ?? null) : blobs.get(stored.value_ref);
}
