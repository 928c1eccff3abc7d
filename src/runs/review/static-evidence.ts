/** The rules of `static_review` look at every chunk before a model does: what they find is evidence for it. */
import type { ChunkEvidence, PlanInput } from '../../machine/review/review-machine.ts';
import { linesOf } from '../../parsers/diff/ranges.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { Chunk } from '../../review/census/chunks.ts';
import { digestOf } from '../../text/digest.ts';
import type { RunContext } from '../../engine/types.ts';
import { unmaskedOf } from './unmasked-change.ts';
import type { RunInput } from '../folder/run-input.ts';

export interface ExaminedDrive {
  readonly input: Pick<RunInput, 'advisor'>;
  /** The reviewed files with their secrets: only the rules see them. */
  readonly unmasked: readonly DiffFile[];
}

interface Examined {
  readonly found: ChunkEvidence;
  /** The rule sets that looked at each chunk. */
  readonly ruleSets: Readonly<Record<string, readonly string[]>>;
  /** What the rules failed by; null where they looked at everything. */
  readonly fault: string | null;
}

/** A step of its own: looked once, and told alike on every drive. An advisor that is no model is told nothing. */
export async function examineChunks(
  context: RunContext,
  { input, unmasked }: ExaminedDrive,
  { path, chunks }: Pick<PlanInput, 'path' | 'chunks'>,
): Promise<ChunkEvidence> {
  if (input.advisor.assurance !== 'model' || chunks.length === 0) return {};
  const lines = digestOf(chunks.map(({ name, files }) => [name, linesOf(files)]));
  const examined = await context.child(`${path}/rules`, (scope) =>
    scope.step<Examined>('evidence', { lines }, async ({ signal }) => ({
      value: await examine(chunks, unmasked, signal),
    })),
  );
  return examined.found;
}

/** By chunk what the rules find; a model gets it with its prompt. */
export async function examine(
  chunks: readonly Chunk[],
  unmasked: readonly DiffFile[],
  signal: AbortSignal,
): Promise<Examined> {
  const found: Record<string, string> = {};
  const ruleSets: Record<string, readonly string[]> = {};
  try {
    // Its parser of syntax trees is a native part, loaded only here.
    const { gatherEvidence } = await import('../../providers/static_review/evidence.ts');
    for (const { name, files } of chunks) {
      const evidence = await gatherEvidence(unmaskedOf(files, unmasked), signal);
      ruleSets[name] = evidence.ruleSets;
      if (evidence.found !== null) found[name] = evidence.found;
    }
    return { found, ruleSets, fault: null };
  } catch (error) {
    signal.throwIfAborted();
    // It costs the review this evidence and nothing else: the model looks all the same.
    return { found, ruleSets, fault: error instanceof Error ? error.message : String(error) };
  }
}
