import { posix } from 'node:path';
import type { CollabEventOf } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';

export type PlannedChunk = CollabEventOf<'review.planned'>['chunks'][number];

/** An exchange of a review: its chunk, and the pass of a deep review. */
export interface NamedExchange {
  readonly index: number;
  /** `security`, `missed 1`; null if one pass looks for everything. */
  readonly pass: string | null;
}

/** Reads an exchange id, which is made from the names of chunk and pass. Any other exchange gives null. */
export function chunkOf(chunks: readonly PlannedChunk[], exchangeId: string): NamedExchange | null {
  const [, ofChunk = exchangeId, pass] = /^(.*chunk-\d+)-([a-z]+(?:-\d+)?)$/.exec(exchangeId) ?? [];
  const index = chunkIndexOf(chunks, ofChunk);
  return index === null ? null : { index, pass: pass?.replace('-', ' ') ?? null };
}

function chunkIndexOf(chunks: readonly PlannedChunk[], exchangeId: string): number | null {
  const index = chunks.findIndex(
    ({ name }) => exchangeId === name || ['_', '/', '-'].some((mark) => exchangeId.endsWith(mark + name)),
  );
  return index === -1 ? null : index;
}

/** `chunk 2/5 src/api (3 files, 412 lines)`. */
export function describeChunk(chunks: readonly PlannedChunk[], index: number): string {
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

/** Returns the only file, or the deepest folder that holds them all; '' for the root. */
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

/** Renders `ex_design-1-consult-1` in readable words; returns an id of another kind unchanged. */
export function describeExchange(exchangeId: string): string {
  if (exchangeId === 'ex_consult') return 'consult';
  const consult = /^ex_([a-z]+)-(\d+)-consult-(\d+)$/.exec(exchangeId);
  if (consult === null) return `exchange ${exchangeId}`;
  const [, phase = '', round = '', number = ''] = consult;
  return `${phase}${round === '1' ? '' : `, round ${round}`}: consult ${number}`;
}
