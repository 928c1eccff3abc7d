/**
 * All that a review takes from outside, read once and kept in `input.json` before the first journal line: a resumed run
 * never reads a diff, a file or a setting a second time (DESIGN §5). The journal's first step holds its digest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { reportFormats } from '../config/settings.ts';
import { CollabError } from '../errors/collab-error.ts';
import { failOnGrades } from '../review/outcome.ts';
import { writeAtomically } from './run-folder.ts';

const milliseconds = z.int().positive();

/** The settings of a review, flags and configuration already merged. */
export const reviewSettingsSchema = z.object({
  fail_on: z.enum(failOnGrades),
  fail_on_empty: z.boolean(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  focus: z.string().nullable(),
  /** The text of the instructions file. */
  instructions: z.string().nullable(),
  language: z.string().nullable(),
  /** For the whole run, in milliseconds; null for none. */
  time_limit_ms: milliseconds.nullable(),
  concurrency: z.int().positive(),
  /** Diff bytes ÷ 4 in one exchange at the most. */
  chunk_tokens: z.int().positive(),
  limits: z.object({ first_sign_ms: milliseconds, idle_ms: milliseconds, total_ms: milliseconds }),
  /** Before the first, second … repeat of an overloaded call. */
  waits_ms: z.array(z.int().nonnegative()),
  budgets: z.object({
    repairing: z.int().nonnegative(),
    completing: z.int().nonnegative(),
    recontextualising: z.int().nonnegative(),
    shortening: z.int().nonnegative(),
    waiting: z.int().nonnegative(),
    answering: z.int().nonnegative(),
    attempts: z.int().positive(),
  }),
});
export type ReviewSettings = z.infer<typeof reviewSettingsSchema>;

export const runInputSchema = z.object({
  schema: z.literal('collab.input/v1'),
  /** UTC. */
  started_at: z.iso.datetime(),
  /** Where the run was called. */
  cwd: z.string(),
  change: z.object({
    kind: z.enum(['file', 'stdin', 'range', 'base', 'staged', 'commit', 'working_tree']),
    base: z.string().nullable(),
    head: z.string().nullable(),
    /** One line for people: what was taken. */
    description: z.string(),
    diff: z.string(),
    /** The repository and its state that the advisor may read a copy of; null: it sees the diff alone. */
    files: z.object({ root: z.string(), state: z.string() }).nullable(),
  }),
  settings: reviewSettingsSchema,
  advisor: z.object({
    provider: z.string(),
    model: z.string().nullable(),
    assurance: z.enum(['model', 'static', 'none']),
    promptLimit: z.int().positive().nullable(),
    chosenBy: z.enum(['asked', 'auto']),
    fallback: z.string().nullable(),
    /** The provider's own settings, e.g. the path of its program. */
    settings: z.record(z.string(), z.string()),
  }),
  /** Files are absolute. */
  reports: z.array(z.object({ format: z.enum(reportFormats), file: z.string() })),
});
export type RunInput = z.infer<typeof runInputSchema>;

export function writeRunInput(runFolder: string, input: RunInput): void {
  writeAtomically(inputFile(runFolder), JSON.stringify(input));
}

/** @throws CollabError `journal_corrupt` where the file is gone or is not what was written */
export function readRunInput(runFolder: string): RunInput {
  const file = inputFile(runFolder);
  try {
    return runInputSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `the input of the run cannot be read: ${file}`, {
      hint: 'start a new review; this run cannot go on',
      details: { file },
      cause,
    });
  }
}

function inputFile(runFolder: string): string {
  return join(runFolder, 'input.json');
}
