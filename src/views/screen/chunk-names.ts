import { posix } from 'node:path';
import type { CollabEventOf } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';

export type Chunk = CollabEventOf<'review.planned'>['chunks'][number];

/** Which chunk an exchange is about; its id is made from the chunk's name. Null for any other exchange. */
export function chunkIndexOf(chunks: readonly Chunk[], exchangeId: string): number | null {
  const index = chunks.findIndex(
    ({ name }) => exchangeId === name || ['_', '/', '-'].some((mark) => exchangeId.endsWith(mark + name)),
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

/** `ex_design-1-consult-1` as people say it; the id itself where it is of another kind. */
export function describeExchange(exchangeId: string): string {
  if (exchangeId === 'ex_consult') return 'consult';
  const consult = /^ex_([a-z]+)-(\d+)-consult-(\d+)$/.exec(exchangeId);
  if (consult === null) return `exchange ${exchangeId}`;
  const [, phase = '', round = '', number = ''] = consult;
  return `${phase}${round === '1' ? '' : `, round ${round}`}: consult ${number}`;
}
