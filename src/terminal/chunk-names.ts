import { posix } from 'node:path';
import type { CollabEventOf } from '../events/collab-event.ts';
import { renderCount } from '../wire/quantities.ts';

export type Chunk = CollabEventOf<'review.planned'>['chunks'][number];

/** Which chunk an exchange is about; its id is made from the chunk's name. Null for any other exchange. */
export function chunkIndexOf(chunks: readonly Chunk[], exchangeId: string): number | null {
  const index = chunks.findIndex(
    ({ name }) => exchangeId === name || exchangeId.endsWith(`_${name}`) || exchangeId.endsWith(`/${name}`),
  );
  return index === -1 ? null : index;
}

/** `chunk 2/5 src/api (3 files, 412 lines)`. */
export function describeChunk(chunks: readonly Chunk[], index: number): string {
  const chunk = chunks[index];
  if (chunk === undefined) return `chunk ${index + 1}`;
  const size =
    chunk.lines === undefined
      ? `about ${renderCount(chunk.estimated_tokens, 'token')}`
      : renderCount(chunk.lines, 'line');
  const place = commonPlace(chunk.paths);
  const files = renderCount(chunk.paths.length, 'file');
  return `chunk ${index + 1}/${chunks.length} ${place === '' ? '' : `${place} `}(${files}, ${size})`;
}

/** The one file, or the deepest folder that holds them all; '' for the root. */
function commonPlace(paths: readonly string[]): string {
  const [first, ...others] = paths;
  if (first === undefined) return '';
  if (others.length === 0) return first;
  let folder = posix.dirname(first);
  while (folder !== '.' && !others.every((path) => path.startsWith(`${folder}/`))) {
    folder = posix.dirname(folder);
  }
  return folder === '.' || folder === '/' ? '' : folder;
}
