/** Reads the result file of a run of any kind, for readers that do not drive the run. */
import { z } from 'zod';
import { consultResultSchema } from '../../review/outcome/consult-result.ts';
import { reviewResultSchema } from '../../review/outcome/result.ts';
import type { RunStatus } from '../../engine/port.ts';
import { readText } from '../../system/files/read.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode } from '../../errors/has-code.ts';
import { resultFile } from './run-folder.ts';
import { parseJson } from '../../text/parse-json.ts';

const resultSchema = z.discriminatedUnion('schema', [reviewResultSchema, consultResultSchema], {
  error: ({ code }) =>
    code === 'invalid_union'
      ? 'Invalid input: expected "collab.review/v1" or "collab.consult/v1"'
      : undefined,
});
/** Reads results of this version and of earlier ones, in the form of this version. */
export const runResultSchema = resultSchema.transform(withTodaysOutcome);
export const resultSchemaNames = resultSchema.options.map((option) => option.shape.schema.value);
export type RunResult = z.infer<typeof runResultSchema>;

/** Version 0.1.0 called a review clean in which no line was looked at. */
function withTodaysOutcome(result: z.infer<typeof resultSchema>): z.infer<typeof resultSchema> {
  if (result.schema !== 'collab.review/v1' || result.outcome !== 'clean') return result;
  const { lines_reviewed, lines_scanned } = result.coverage;
  return lines_reviewed + lines_scanned > 0 ? result : { ...result, outcome: 'nothing_reviewed' };
}

/** Returns the run's state in the result file; null if there is no readable one. */
export function resultState(runFolder: string): RunStatus | null {
  return readResult(runFolder)?.state ?? null;
}

/** Returns null if there is no readable one. */
export function readResult(runFolder: string): RunResult | null {
  const text = textOf(resultFile(runFolder));
  return text === null ? null : (runResultSchema.safeParse(parseJson(text)).data ?? null);
}

/** A link or a pipe in its place is not our result. */
function textOf(file: string): string | null {
  try {
    return readText(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || (error instanceof CollabError && error.code === 'input')) return null;
    throw error;
  }
}
