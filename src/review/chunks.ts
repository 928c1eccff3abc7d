import { renderDiffFile } from '../parsers/unified-diff-render.ts';
import type { DiffFile } from '../parsers/unified-diff-types.ts';
import { splitFile } from './chunk-split.ts';

/** What one exchange of a review is about. */
export interface Chunk {
  readonly name: string;
  /** Whole files, or files with some of their hunks. */
  readonly files: readonly DiffFile[];
  readonly estimatedTokens: number;
}

const bytesPerToken = 4;

/**
 * Deals the files out by a budget of tokens (bytes ÷ 4), folder by folder. Nothing is cut or lost: every line of `files` is
 * in exactly one chunk. Only a single line above the budget makes a chunk above the budget.
 */
export function planChunks(files: readonly DiffFile[], budgetTokens: number): readonly Chunk[] {
  const budgetBytes = budgetTokens * bytesPerToken;
  const chunks: Draft[] = [];
  for (const folder of groupByFolder(files)) {
    const parts = folder.flatMap((file) => splitFile(file, budgetBytes)).map(weigh);
    const folderBytes = sumBytes(parts);
    const startsFresh = folderBytes <= budgetBytes && !fits(chunks.at(-1), folderBytes, budgetBytes);
    if (startsFresh) chunks.push({ files: [], bytes: 0 });
    for (const part of parts) addPart(chunks, part, budgetBytes);
  }
  return chunks.map(({ files: chunkFiles, bytes }, index) => ({
    name: `chunk-${index + 1}`,
    files: chunkFiles,
    estimatedTokens: Math.ceil(bytes / bytesPerToken),
  }));
}

export function estimateTokens(file: DiffFile): number {
  return Math.ceil(weigh(file).bytes / bytesPerToken);
}

interface Weighed {
  readonly file: DiffFile;
  readonly bytes: number;
}

interface Draft {
  readonly files: DiffFile[];
  bytes: number;
}

function weigh(file: DiffFile): Weighed {
  return { file, bytes: Buffer.byteLength(renderDiffFile(file)) };
}

function sumBytes(parts: readonly Weighed[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function fits(chunk: Draft | undefined, bytes: number, budgetBytes: number): boolean {
  return chunk !== undefined && chunk.bytes + bytes <= budgetBytes;
}

function addPart(chunks: Draft[], { file, bytes }: Weighed, budgetBytes: number): void {
  const last = chunks.at(-1);
  if (last !== undefined && (last.files.length === 0 || fits(last, bytes, budgetBytes))) {
    last.files.push(file);
    last.bytes += bytes;
  } else {
    chunks.push({ files: [file], bytes });
  }
}

/** In the order in which the folders first appear. */
function groupByFolder(files: readonly DiffFile[]): readonly (readonly DiffFile[])[] {
  const groups = new Map<string, DiffFile[]>();
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}
