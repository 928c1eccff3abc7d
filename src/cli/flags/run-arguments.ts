/** What the commands on a run share: finding it and reading what it left. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { runResultSchema, type RunResult } from '../../runs/folder/result-file.ts';
import { collabHome, resolveRun, resultFile, type RunFolder } from '../../runs/folder/run-folder.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `run_not_found` */
export function findRun(session: Session, wanted: string | undefined): RunFolder {
  return resolveRun(collabHome(session), wanted);
}

/** Null where the run was never driven. */
export function readRunResult(run: RunFolder): RunResult | null {
  const file = resultFile(run.path);
  return existsSync(file) ? readResultFile(file) : null;
}

/** @throws CollabError `result_file` where it is no review's */
export function readReviewResultFile(file: string): ReviewResult {
  const result = readResultFile(file);
  if (result.schema === 'collab.review/v1') return result;
  throw new CollabError(
    'result_file',
    `${file} is not the result of a review: its schema is ${result.schema}`,
  );
}

/** @throws CollabError `result_file` naming the file and what is wrong with it */
export function readResultFile(file: string): RunResult {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CollabError('result_file', `${file} cannot be read`, {
      hint: 'name the result.json of a run, or what --report json=<file> wrote',
      cause,
    });
  }
  const value = parseJson(text, file);
  const parsed = runResultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  refuseOtherVersion(file, value);
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
  throw new CollabError(
    'result_file',
    `${file} is no result of collab: ${where}: ${issue?.message ?? 'invalid'}`,
    {
      hint: 'it must have a schema of collab, such as collab.review/v1',
    },
  );
}

/** A result of ours that this version does not know. */
function refuseOtherVersion(file: string, value: unknown): void {
  const schema = z.object({ schema: z.string() }).safeParse(value).data?.schema ?? '';
  const known = runResultSchema.options.map((option) => option.shape.schema.value);
  if (!/^collab\.(review|consult)\/v\d+$/.test(schema) || known.some((name) => name === schema)) return;
  throw new CollabError('result_file', `${file} is of another version: ${schema}`, {
    hint: `this collab reads ${known.join(' and ')}; use the one that wrote it`,
  });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CollabError('result_file', `${file} is not JSON`, { cause });
  }
}
