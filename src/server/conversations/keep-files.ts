/** Stores a message's attachments next to its run, under generated names: a client's file name is never part of a path. */
import { join } from 'node:path';
import type { Attachment } from '../../providers/history/history.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { writeNew } from '../../system/files/write.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import type { AttachedFile } from '../routes/run-request.ts';

export function keepFiles(runFolder: string, files: readonly AttachedFile[]): readonly Attachment[] {
  if (files.length === 0) return [];
  const folder = join(runFolder, 'files');
  makeFolder(folder);
  return files.map(({ name, mimeType, bytes }, index) => {
    const url = join(folder, String(index + 1));
    writeNew(url, bytes);
    return { type: kindOf(mimeType), mime_type: mimeType, url, name: masked(name) };
  });
}

function kindOf(mimeType: string): Attachment['type'] {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
