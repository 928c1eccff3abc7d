/** The fields that start a run, and the request that they make. A field means the same as the flag of its name. */
import { z } from 'zod';
import { durationPattern, parseDuration } from '../../config/duration.ts';
import { languageFault, languagePattern } from '../../config/language-tag.ts';
import { most, ruleSets } from '../../config/settings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { failOnGrades } from '../../review/outcome/outcome.ts';
import { phases } from '../../tags/tags.ts';
import type { ReviewStart, WorkflowStart } from '../../runs/start/start-request.ts';
import type { RunRequest } from './run-request.ts';

/** Characters of a task, as on the command line. */
const mostTaskCharacters = 256 * 1024;

const words = (mostCharacters: number) =>
  z
    .string()
    .min(1)
    .max(mostCharacters)
    .regex(/^[^\0]*$/, 'holds a NUL');
/** A git revision. A leading hyphen would turn it into a flag of git. */
const revision = words(1000).regex(/^[^-]/, 'begins with a hyphen');
const agent = words(1000).describe('auto, or <provider[:model]>');
const glob = words(1000);

const common = {
  advisor: agent.optional(),
  lead: agent.optional(),
  fail_on: z.enum(failOnGrades).optional(),
  language: z
    .string()
    .regex(languagePattern, languageFault)
    .optional()
    .describe("the language of the agents' prose, e.g. ja"),
  time_limit: z
    .string()
    .regex(durationPattern, 'is not a duration: write 90s, 20m or 2h')
    .regex(/[1-9]/, 'must be longer than nothing')
    .optional(),
  concurrency: z.int().positive().max(most.concurrency).optional(),
  budget_usd: z.number().positive().max(999_999).optional(),
  budget_tokens: z.int().positive().max(most.budgetTokens).optional(),
  budget_calls: z.int().positive().max(most.budgetCalls).optional(),
};

const changeSchema = z
  .union([
    z.strictObject({ diff: z.string().describe('a diff as git makes it') }),
    z.strictObject({ range: revision.regex(/^[^./][^]*\.\.|^\.\./, 'is no range: write main...HEAD') }),
    z.strictObject({ base: revision }),
    z.strictObject({ staged: z.literal(true) }),
    z.strictObject({ commit: revision }),
    z.strictObject({}),
  ])
  .describe('what is reviewed; an empty object: the working tree of the folder that is served');
export type WantedChange = z.infer<typeof changeSchema>;

const reviewSchema = z.strictObject({
  kind: z.literal('review'),
  input: changeSchema.default({}),
  ...common,
  focus: words(10_000).optional().describe('name what the review should focus on'),
  include: z.array(glob).max(100).optional(),
  exclude: z.array(glob).max(100).optional(),
  rules: z
    .enum(ruleSets)
    .optional()
    .describe('which rules look at the change; all: also those that are often beside the point'),
  verify: z.boolean().optional().describe('the lead checks Critical and Important findings'),
  allow_static: z.boolean().optional(),
  allow_empty: z.boolean().optional(),
  fail_on_empty: z.boolean().optional(),
  cache: z.boolean().optional(),
});

const workflowSchema = z.strictObject({
  kind: z.literal('run'),
  task: z.string().min(1).max(mostTaskCharacters),
  ...common,
  phases: z.array(z.enum(phases)).min(1).optional(),
  yes: z.boolean().optional().describe('accept every gate'),
  max_review_rounds: z.int().positive().max(most.reviewRounds).optional(),
  apply: z.boolean().optional().describe('bring the result into the files of the folder at the end'),
});

export const runFieldsSchema = z.discriminatedUnion('kind', [reviewSchema, workflowSchema]);
export type RunFields = z.infer<typeof runFieldsSchema>;

export function requestOf(
  fields: RunFields,
  { speaker, token }: Pick<RunRequest, 'speaker' | 'token'>,
): RunRequest {
  const request = fields.kind === 'run' ? workflowOf(fields) : reviewOf(fields);
  const title = fields.kind === 'run' ? fields.task : titleOfChange(fields.input);
  return {
    speaker,
    token,
    wanted: { kind: 'start', request },
    title,
    skills: [],
    tokens: {},
    files: [],
  };
}

function reviewOf(fields: z.infer<typeof reviewSchema>): ReviewStart {
  return {
    kind: 'review',
    changes: changesOf(fields.input),
    ...choicesOf(fields),
    focus: fields.focus,
    include: fields.include,
    exclude: fields.exclude,
    verify: fields.verify,
    rules: fields.rules,
    allowStatic: fields.allow_static,
    allowEmpty: fields.allow_empty,
    failOnEmpty: fields.fail_on_empty,
    cache: fields.cache,
  };
}

function workflowOf(fields: z.infer<typeof workflowSchema>): WorkflowStart {
  return {
    kind: 'run',
    task: fields.task,
    ...choicesOf(fields),
    phases: fields.phases,
    yes: fields.yes,
    maxReviewRounds: fields.max_review_rounds,
    apply: fields.apply,
  };
}

function choicesOf(fields: RunFields) {
  return {
    advisor: fields.advisor,
    lead: fields.lead,
    failOn: fields.fail_on,
    language: fields.language,
    timeLimit: fields.time_limit === undefined ? undefined : parseDuration(fields.time_limit),
    concurrency: fields.concurrency,
    budgetUsd: fields.budget_usd,
    budgetTokens: fields.budget_tokens,
    budgetCalls: fields.budget_calls,
  };
}

function changesOf(input: WantedChange): ReviewStart['changes'] {
  if ('diff' in input) return [{ kind: 'stdin', text: input.diff }];
  if ('range' in input) return [{ kind: 'range', range: input.range }];
  if ('base' in input) return [{ kind: 'base', ref: input.base }];
  if ('staged' in input) return [{ kind: 'staged' }];
  if ('commit' in input) return [{ kind: 'commit', sha: input.commit }];
  return [];
}

function titleOfChange(input: WantedChange): string {
  if ('diff' in input) return 'a diff';
  if ('range' in input) return input.range;
  if ('base' in input) return `${input.base}...HEAD`;
  if ('staged' in input) return 'staged changes';
  if ('commit' in input) return `commit ${input.commit}`;
  return 'the working tree';
}

/** Replaces the flags in an error by the fields that mean the same. */
export function inFieldNames(error: unknown, { kind }: Pick<RunFields, 'kind'>): unknown {
  if (!(error instanceof CollabError)) return error;
  const { shape } = kind === 'run' ? workflowSchema : reviewSchema;
  const spell = (text: string) =>
    text.replaceAll(/--(?:no-)?([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) => {
      const field = name.replaceAll('-', '_');
      if (changeFields.has(field)) return `input.${field}`;
      return Object.hasOwn(shape, field) ? field : flag;
    });
  const { code, message, hint, details } = error;
  return new CollabError(code, spell(message), {
    ...(hint === null ? {} : { hint: spell(hint) }),
    details,
    cause: error,
  });
}

const changeFields: ReadonlySet<string> = new Set(['base', 'staged', 'commit']);
