/**
 * All that a review takes from outside, read once and kept in `input.json` before the first journal line: a resumed run
 * never reads a diff, a file or a setting a second time (DESIGN §5). The journal's first step holds its digest.
 */
import { z } from 'zod';
import { reportFormats } from '../../config/settings.ts';
import { skillSchema } from '../../prompts/skills/skill.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { baselineSchema } from '../../review/findings/baseline.ts';
import { suppressionsSchema } from '../../review/findings/suppressions.ts';
import { failOnGrades } from '../../review/outcome/outcome.ts';
import { consultPhases, phases } from '../../tags/tags.ts';
import { readInput, writeInput } from './input-file.ts';

const milliseconds = z.int().positive();
const limitsSchema = z.object({ first_sign_ms: milliseconds, idle_ms: milliseconds, total_ms: milliseconds });

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
  /** Of all calls of the run, in US dollars; null for none. */
  budget_usd: z.number().positive().nullable().default(null),
  /** Of all calls of the run, in tokens of every kind; null for none. */
  budget_tokens: z.int().positive().nullable().default(null),
  budget_calls: z.int().positive().nullable().default(null),
  concurrency: z.int().positive(),
  /** Absent where there is no suppression file. */
  suppressions: suppressionsSchema.optional(),
  /** Whether answers of earlier runs are taken and this one's kept. Absent in a run that was begun before there were any. */
  cache: z.boolean().optional(),
  /** Diff bytes ÷ 4 in one exchange at the most. */
  chunk_tokens: z.int().positive(),
  limits: limitsSchema,
  /** What holds in a phase instead. Absent in a run that was begun before there was more than the review's. */
  phase_limits: z.partialRecord(z.enum(phases), limitsSchema).optional(),
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

const choice = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  chosenBy: z.enum(['asked', 'auto']),
  /** The provider's own settings, e.g. the path of its program. */
  settings: z.record(z.string(), z.string()),
});

const advisorSchema = z.object({
  ...choice.shape,
  assurance: z.enum(['model', 'static', 'none']),
  promptLimit: z.int().positive().nullable(),
  fallback: z.string().nullable(),
});

/** What every run has. */
const common = {
  schema: z.literal('collab.input/v1'),
  /** UTC. */
  started_at: z.iso.datetime(),
  /** Where the run was called. */
  cwd: z.string(),
  settings: reviewSettingsSchema,
  advisor: advisorSchema,
  /** Null: no lead takes part. `caller`: whoever called us leads, by `collab answer`. */
  lead: choice.nullable(),
  /** Out of which the fences of every prompt are named; a run that was begun before there was one has none. */
  fence_seed: z.string().default(''),
  /** What the dearest of the agents asks for 1,000,000 tokens, in US dollars; null where that is not known before a call. */
  price: z
    .object({ input: z.number().nonnegative(), output: z.number().nonnegative() })
    .nullable()
    .default(null),
  /** From where settings and instructions were taken, for the first line. */
  notes: z.array(z.string()).default([]),
  /** Files are absolute. */
  reports: z.array(z.object({ format: z.enum(reportFormats), file: z.string() })),
};

const fileAttributesSchema = z.object({
  generated: z.boolean().nullable(),
  vendored: z.boolean().nullable(),
  shown: z.boolean(),
});

const reviewInputSchema = z.object({
  kind: z.literal('review'),
  ...common,
  /** Whether the lead checks what the advisor finds. Absent in a run that was begun before it could. */
  verify: z.boolean().default(false),
  change: z.object({
    kind: z.enum(['file', 'stdin', 'range', 'base', 'staged', 'commit', 'working_tree']),
    base: z.string().nullable(),
    head: z.string().nullable(),
    /** One line for people: what was taken. */
    description: z.string(),
    diff: z.string(),
    /** Of its commits; null where it has none of its own. */
    messages: z.string().nullable().default(null),
    /** What `.gitattributes` of the old side says of the changed files, by path. */
    attributes: z.record(z.string(), fileAttributesSchema).default({}),
    /** The repository and its state that the agents may read a copy of; null: they see the diff alone. */
    files: z.object({ root: z.string(), state: z.string() }).nullable(),
  }),
  /** Absent where none was given. */
  baseline: baselineSchema.optional(),
});
export type ReviewRunInput = z.infer<typeof reviewInputSchema>;

const workflowInputSchema = z.object({
  kind: z.literal('workflow'),
  ...common,
  lead: choice,
  task: z.string(),
  skill: skillSchema,
  /** `accept`: the lead answers what would be put to the user, with stated assumptions, and every gate is passed. */
  gates: z.enum(['ask', 'accept']),
  /** Whether the last gate is passed by applying the branch to the user's own tree. */
  apply: z.boolean(),
  on_advisor_failure: z.enum(['stop', 'continue']),
});
export type WorkflowRunInput = z.infer<typeof workflowInputSchema>;

const consultInputSchema = z.object({
  kind: z.literal('consult'),
  ...common,
  phase: z.enum(consultPhases),
  /** What the calling lead wants to know, in its own words. */
  brief: z.string(),
  /** The repository whose working tree the advisor may read a copy of; null: it sees the brief alone. */
  files: z.object({ root: z.string(), state: z.string() }).nullable(),
  /** Sections that a skill requires besides the protocol's own. */
  sections: z.array(z.object({ name: z.string(), asks: z.string() })),
  /** The conversation it belongs to: the id of its first run, which may be this one. */
  conversation: z.string(),
  /** What earlier runs of the conversation settled, in order. */
  earlier: z.array(z.object({ run: z.string(), title: z.string(), text: z.string() })),
});
export type ConsultRunInput = z.infer<typeof consultInputSchema>;

const runInputSchema = z.discriminatedUnion('kind', [
  reviewInputSchema,
  workflowInputSchema,
  consultInputSchema,
]);
export type RunInput = z.infer<typeof runInputSchema>;

export function writeRunInput(runFolder: string, input: RunInput): void {
  writeInput(runFolder, input);
}

/** @throws CollabError as `readInput` */
export function readRunInput(runFolder: string): RunInput {
  const hint = 'start a new review; this run cannot go on';
  return readInput(runFolder, { schema: runInputSchema, whose: 'the run', hint });
}

/** @throws CollabError as `readRunInput`; `internal` where the run is no review */
export function readReviewInput(runFolder: string): ReviewRunInput {
  const input = readRunInput(runFolder);
  if (input.kind !== 'review') throw new CollabError('internal', `${runFolder} holds no review`);
  return input;
}
