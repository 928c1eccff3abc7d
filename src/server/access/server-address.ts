/** Where the server of a folder listens, for commands that want to open its page. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../runs/folder/run-folder.ts';
import type { ServerFolder } from './server-folder.ts';

const addressSchema = z.object({
  schema: z.literal('collab.server/v1'),
  url: z.url(),
  pid: z.int().positive(),
});

/** Gives back what takes the address away again, where no later server has written its own. */
export function announceServer({ path }: ServerFolder, url: string): () => void {
  const file = join(path, 'server.json');
  const text = `${JSON.stringify({ schema: 'collab.server/v1', url, pid: process.pid })}\n`;
  writeAtomically(file, text);
  return () => {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) rmSync(file, { force: true });
  };
}

const healthLimitMs = 2000;

/** Null where none answers. */
export async function findServer({ path }: ServerFolder): Promise<string | null> {
  const file = join(path, 'server.json');
  if (!existsSync(file)) return null;
  const address = addressSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  return address.success && (await answers(address.data.url)) ? address.data.url : null;
}

/** A server that was killed has left its address, and another program may listen there by now. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(healthLimitMs) });
    return z.object({ status: z.literal('ok') }).safeParse(await response.json()).success;
  } catch {
    // Nobody listens there, or something that is none of ours.
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no address.
    return null;
  }
}
