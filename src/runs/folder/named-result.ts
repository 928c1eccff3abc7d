/** Reads the result of a run, or a result file that a person names, and says what is wrong with it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { readIfThere, readNamedIfThere } from '../../system/files/read.ts';
import { resultFile, type RunFolder } from './run-folder.ts';
import { resultSchemaNames, runResultSchema, type RunResult } from './result-file.ts';

/** @throws CollabError `result_file` if it is not a review's */
export function readReviewResultFile(file: string): ReviewResult {
  return reviewResultIfThere(file) ?? missing(file);
}

/** Reads it once, with the SHA-256 of its bytes. @throws CollabError `result_file` if it is not a review's */
export function readReviewResultWithDigest(file: string): {
  readonly result: ReviewResult;
  readonly digest: string;
} {
  const hash = createHash('sha256');
  const result = reviewResultIfThere(file, (named) => {
    const bytes = readNamedIfThere(named);
    if (bytes !== null) hash.update(bytes);
    return bytes;
  });
  return { result: result ?? missing(file), digest: hash.digest('hex') };
}

/** Returns null if there is no file. @throws CollabError `result_file` if it is not a review's */
export function reviewResultIfThere(file: string, read?: ReadIfThere): ReviewResult | null {
  const result = resultIfThere(file, read);
  if (result === null) return null;
  if (result.schema === 'collab.review/v1') return result;
  throw new CollabError(
    'result_file',
    `${file} is not the result of a review: its schema is ${result.schema}`,
  );
}

/** Returns null if the run was never driven. @throws CollabError `result_file` with the file and its fault */
export function readRunResult(run: RunFolder): RunResult | null {
  return resultIfThere(resultFile(run.path), readIfThere);
}

/** @throws CollabError `result_file` with the file and its fault */
export function readResultFile(file: string): RunResult {
  return resultIfThere(file) ?? missing(file);
}

/** How a file is read: a path that a person names may be a link, a run's own file may not. */
type ReadIfThere = (file: string) => Buffer | string | null;

/** Returns null if there is no file. @throws CollabError `result_file` with the file and its fault */
function resultIfThere(file: string, read: ReadIfThere = readNamedIfThere): RunResult | null {
  const text = textIfThere(file, read);
  if (text === null) return null;
  const value = parseFile(text, file);
  const parsed = runResultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  refuseOtherVersion(file, value);
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
  throw new CollabError(
    'result_file',
    `${file} is not a result of collab: ${where}: ${issue?.message ?? 'invalid'}`,
    {
      hint: 'name a file with a schema of collab, such as collab.review/v1',
    },
  );
}

function textIfThere(file: string, read: ReadIfThere): string | null {
  try {
    return read(file)?.toString() ?? null;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function missing(file: string): never {
  throw unreadable(file);
}

function unreadable(file: string, cause?: unknown): CollabError {
  return new CollabError('result_file', `${file} cannot be read`, {
    hint: 'name the result.json of a run, or a file of --report json=<file>',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Refuses a result of ours in a version that this one cannot read. */
function refuseOtherVersion(file: string, value: unknown): void {
  const schema = z.object({ schema: z.string() }).safeParse(value).data?.schema ?? '';
  if (!/^collab\.(review|consult)\/v\d+$/.test(schema) || resultSchemaNames.some((name) => name === schema))
    return;
  throw new CollabError('result_file', `${file} has another version: ${schema}`, {
    hint: `this version reads ${resultSchemaNames.join(' and ')}; use the version that wrote the file`,
  });
}

function parseFile(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CollabError('result_file', `${file} is not JSON`, { cause });
  }
}
