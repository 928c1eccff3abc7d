/** Reads a file as git's API of a host gives it. */
import { z } from 'zod';
import type { FileOnHost } from './comment-host.ts';

export const blobSchema = z.looseObject({ content: z.string(), encoding: z.literal('base64') });

/** False for a link, a module or a folder. */
export function isFileMode(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/** Returns null for bytes that are no text. */
export function fileOfBlob({ content }: z.infer<typeof blobSchema>, mode: string): FileOnHost | null {
  try {
    const bytes = Buffer.from(content, 'base64');
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), mode };
  } catch {
    return null;
  }
}
