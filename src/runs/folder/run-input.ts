/**
 * All outside input of a review, read once and kept in `input.json` before the first journal line: a resumed run never
 * reads a diff, a file or a setting a second time. The journal's first step contains its digest.
 */
import { z } from 'zod';
import { keptShape } from '../../config/setting-schemas.ts';
import { findingSchema } from '../../events/collab-event.ts';
import { languageFamilies } from '../../parsers/languages/language.ts';
import { checkReportSchema } from '../../prompts/review/check-reports.ts';
import { conventionSchema } from '../../prompts/review/conventions.ts';
import { relatedFileSchema } from '../../prompts/review/related-files.ts';
import { skillSchema } from '../../prompts/skills/skill.ts';
import { dismissedKindSchema } from '../../review/dismissals/kinds.ts';
import { baselineSchema } from '../../review/findings/baseline.ts';
import { ruleIssueSchema } from '../../review/findings/rule-issue.ts';
import { suppressionsSchema } from '../../review/findings/suppressions.ts';
import { consultPhases } from '../../tags/tags.ts';
import { reportFormats } from '../../views/reports/report-formats.ts';
import { changeSecretsSchema } from '../review/change-secrets.ts';
import { readInput, writeInput } from './input-file.ts';

/** The settings of a run, with flags and configuration already merged, and the files that they name read. */
export const reviewSettingsSchema = z.object({
  ...keptShape(),
  /**
   * The additions of the repository's own configuration, as it is at the base of the change; absent if it adds nothing.
   */
  repository: z.object({ include: z.array(z.string()), exclude: z.array(z.string()) }).optional(),
  /** The paths that the request names; absent if it names none. */
  only: z.array(z.string()).optional(),
  /** The text of the instructions file. */
  instructions: z.string().nullable(),
  /** The project's own checklists, by language; absent if it has none. */
  checklists: z.partialRecord(z.enum(languageFamilies), z.string()).optional(),
  /** Kinds of findings that people dismissed before the change; absent if there are none. */
  dismissed: z.array(dismissedKindSchema).optional(),
  /** Omitted if there is no suppression file. */
  suppressions: suppressionsSchema.optional(),
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

/** The fields of every run. */
const common = {
  schema: z.literal('collab.input/v1'),
  /** UTC. */
  started_at: z.iso.datetime(),
  /** The folder in which the user called `collab`. */
  cwd: z.string(),
  settings: reviewSettingsSchema,
  advisor: advisorSchema,
  /** The lead; null: no lead takes part; `caller`: the caller leads, through `collab answer`. */
  lead: choice.nullable(),
  /** Seed for the fence names of every prompt; empty in a run started before fences had names. */
  fence_seed: z.string().default(''),
  /** The highest price of the agents per 1,000,000 tokens, in US dollars; null if it is unknown before a call. */
  price: z
    .object({ input: z.number().nonnegative(), output: z.number().nonnegative() })
    .nullable()
    .default(null),
  /** Sources of settings and instructions, for the first lines. */
  notes: z.array(z.string()).default([]),
  /** File paths are absolute. */
  reports: z.array(z.object({ format: z.enum(reportFormats), file: z.string() })),
};

const fileAttributesSchema = z.object({
  generated: z.boolean().nullable(),
  vendored: z.boolean().nullable(),
  shown: z.boolean(),
  wasBinary: z.literal(true).optional(),
});

const filesSchema = z.object({
  root: z.string(),
  state: z.string(),
  /** The tree that the change was taken from; absent if the state is read when the run begins. */
  tree: z.string().optional(),
});

const reviewInputSchema = z.object({
  kind: z.literal('review'),
  ...common,
  /**
   * True if findings are checked: by the lead, or without one by the advisor; absent in a run started before there was a
   * check.
   */
  verify: z.boolean().default(false),
  change: z.object({
    kind: z.enum(['file', 'stdin', 'range', 'base', 'staged', 'commit', 'working_tree']),
    base: z.string().nullable(),
    head: z.string().nullable(),
    /** One line for people: the change under review. */
    description: z.string(),
    /** Masked; in a run started before `secrets` was kept, unmasked. */
    diff: z.string(),
    /** Kinds and places of the masked parts of `diff`; absent in a run of version 0.1.0. */
    secrets: changeSecretsSchema.optional(),
    /** Messages of its commits; null if it has none. */
    messages: z.string().nullable().default(null),
    /** The repository's own rules from the base of the change. */
    conventions: z.array(conventionSchema).default([]),
    /** The text of the pull request; null if none is given. */
    pull_request: z.string().nullable().default(null),
    checks: z.array(checkReportSchema).default([]),
    /** Unchanged files around the change. */
    related: z.array(relatedFileSchema).default([]),
    /** Attributes of the changed files, by path, from `.gitattributes` of the old side. */
    attributes: z.record(z.string(), fileAttributesSchema).default({}),
    /** Files that ignore rules of the change keep out of it; absent if there are none. */
    hidden: z.array(z.string()).readonly().optional(),
    /** The repository and its state that the agents may read as a copy; null: they see only the diff. */
    files: filesSchema.nullable(),
  }),
  /** Issues that rules found in the change before its secrets were masked; absent in an older run. */
  examined: z.object({ issues: z.array(ruleIssueSchema), fault: z.string().nullable() }).optional(),
  /** Omitted if there is no baseline. */
  baseline: baselineSchema.optional(),
});
export type ReviewRunInput = z.infer<typeof reviewInputSchema>;

const workflowInputSchema = z.object({
  kind: z.literal('workflow'),
  ...common,
  lead: choice,
  task: z.string(),
  skill: skillSchema,
  /** `accept`: the lead answers the questions for the user, with stated assumptions, and every gate is passed. */
  gates: z.enum(['ask', 'accept']),
  /** True if passing the last gate applies the branch to the user's own tree. */
  apply: z.boolean(),
  on_advisor_failure: z.enum(['stop', 'continue']),
});
export type WorkflowRunInput = z.infer<typeof workflowInputSchema>;

const fixInputSchema = workflowInputSchema.extend({
  kind: z.literal('fix'),
  fix: z.object({
    /** The run whose findings they are. */
    run: z.string(),
    findings: z.array(findingSchema).min(1),
  }),
});
export type FixRunInput = z.infer<typeof fixInputSchema>;

const consultInputSchema = z.object({
  kind: z.literal('consult'),
  ...common,
  phase: z.enum(consultPhases),
  /** The calling lead's question, in its own words. */
  brief: z.string(),
  /** The repository whose working tree the advisor may read as a copy; null: it sees only the brief. */
  files: filesSchema.nullable(),
  /** Sections that a skill requires in addition to the protocol's own. */
  sections: z.array(z.object({ name: z.string(), asks: z.string() })),
  /** The conversation that it belongs to: the id of its first run, which may be this one. */
  conversation: z.string(),
  /** Texts that earlier runs of the conversation settled, in order. */
  earlier: z.array(z.object({ run: z.string(), title: z.string(), text: z.string() })),
});
export type ConsultRunInput = z.infer<typeof consultInputSchema>;

export const runInputSchema = z.discriminatedUnion('kind', [
  reviewInputSchema,
  workflowInputSchema,
  fixInputSchema,
  consultInputSchema,
]);
export type RunInput = z.infer<typeof runInputSchema>;

/** Returns the input as a reader of the file gets it. */
export function writeRunInput(runFolder: string, input: RunInput): RunInput {
  const kept = runInputSchema.parse(input);
  writeInput(runFolder, kept);
  return kept;
}

/** @throws CollabError as `readInput` */
export function readRunInput(runFolder: string): RunInput {
  const hint = 'start a new review; this run cannot continue';
  return readInput(runFolder, { schema: runInputSchema, whose: 'the run', hint });
}
