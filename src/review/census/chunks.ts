import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { clusterParts, type Cluster, type Part } from './chunk-clusters.ts';
import { splitFile } from './chunk-split.ts';

/** The part of a change that one exchange of a review gets. */
export interface Chunk {
  readonly name: string;
  /** Whole files, or files with some of their hunks. */
  readonly files: readonly DiffFile[];
  readonly estimatedTokens: number;
}

/** The estimate for all text. */
export const bytesPerToken = 4;

/**
 * Distributes the files over chunks within a budget of tokens (bytes ÷ 4), related files together if they fit. Nothing
 * is cut or lost: every line of `files` is in exactly one chunk. Only a single line above the budget makes a chunk
 * above the budget.
 */
export function planChunks(files: readonly DiffFile[], budgetTokens: number): readonly Chunk[] {
  const budgetBytes = budgetTokens * bytesPerToken;
  const parts = files.flatMap((file) => splitFile(file, budgetBytes)).map(weigh);
  return packClusters(clusterParts(parts, budgetBytes), budgetBytes).map((chunk, index) => ({
    name: `chunk-${index + 1}`,
    files: chunk.parts.map(({ file }) => file),
    estimatedTokens: Math.ceil(chunk.bytes / bytesPerToken),
  }));
}

export function estimateTokens(file: DiffFile): number {
  return Math.ceil(weigh(file).bytes / bytesPerToken);
}

function weigh(file: DiffFile): Part {
  return { file, bytes: Buffer.byteLength(renderDiffFile(file)) };
}

interface Draft {
  readonly parts: Part[];
  bytes: number;
}

/** Puts each cluster into the first chunk that has room for all of it. */
function packClusters(clusters: readonly Cluster[], budgetBytes: number): readonly Draft[] {
  const chunks: Draft[] = [];
  for (const { parts, bytes } of clusters) {
    const chunk = chunks.find((candidate) => candidate.bytes + bytes <= budgetBytes);
    if (chunk === undefined) {
      chunks.push({ parts: [...parts], bytes });
    } else {
      chunk.parts.push(...parts);
      chunk.bytes += bytes;
    }
  }
  return chunks;
}
