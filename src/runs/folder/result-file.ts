/** The result file of a run of any kind, for whoever does not drive it. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { consultResultSchema } from '../../review/outcome/consult-result.ts';
import { reviewResultSchema } from '../../review/outcome/result.ts';
import type { RunState } from '../../engine/types.ts';
import { resultFile } from './run-folder.ts';

export const runResultSchema = z.discriminatedUnion('schema', [reviewResultSchema, consultResultSchema], {
  error: ({ code }) =>
    code === 'invalid_union'
      ? 'Invalid input: expected "collab.review/v1" or "collab.consult/v1"'
      : undefined,
});
export type RunResult = z.infer<typeof runResultSchema>;

/** What the result file says of the run; null where there is none that can be read. */
export function resultState(runFolder: string): RunState | null {
  return readResult(runFolder)?.state ?? null;
}

/** Null where there is none that can be read. */
export function readResult(runFolder: string): RunResult | null {
  const file = resultFile(runFolder);
  if (!existsSync(file)) return null;
  return runResultSchema.safeParse(parseJson(readFileSync(file, 'utf8'))).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What a disk that was full or a hand has left there is no result.
    return null;
  }
}
