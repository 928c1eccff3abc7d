/** The address of a folder's server, for commands that open its page. */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import type { ServerFolder } from './server-folder.ts';
import { parseJson } from '../../text/parse-json.ts';

const addressSchema = z.object({
  schema: z.literal('collab.server/v1'),
  url: z.url(),
  pid: z.int().positive(),
});

/** Writes the address, and returns a function that removes it unless a later server has written its own. */
export function announceServer({ path }: ServerFolder, url: string): () => void {
  const file = join(path, 'server.json');
  const text = `${JSON.stringify({ schema: 'collab.server/v1', url, pid: process.pid })}\n`;
  writeAtomically(file, text);
  return () => {
    if (readIfThere(file) === text) remove(file);
  };
}

const healthLimitMs = 2000;

/** Resolves with null if no server answers. */
export async function findServer({ path }: ServerFolder): Promise<string | null> {
  const text = readIfThere(join(path, 'server.json'));
  if (text === null) return null;
  const address = addressSchema.safeParse(parseJson(text));
  return address.success && (await answers(address.data.url)) ? address.data.url : null;
}

/** Checks the address: a killed server leaves its file behind, and another program may now use the port. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(healthLimitMs) });
    return z.object({ status: z.literal('ok') }).safeParse(await response.json()).success;
  } catch {
    // No program listens there, or one that is not collab.
    return false;
  }
}
