/** What came with a message lies beside its run, under names of ours: a name of a client is no place on the disk. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from '../../providers/history/history.ts';
import type { AttachedFile } from '../routes/run-request.ts';

export function keepFiles(runFolder: string, files: readonly AttachedFile[]): readonly Attachment[] {
  if (files.length === 0) return [];
  const folder = join(runFolder, 'files');
  mkdirSync(folder, { mode: 0o700 });
  return files.map(({ name, mimeType, bytes }, index) => {
    const url = join(folder, String(index + 1));
    writeFileSync(url, bytes, { mode: 0o600 });
    return { type: kindOf(mimeType), mime_type: mimeType, url, name };
  });
}

function kindOf(mimeType: string): Attachment['type'] {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
