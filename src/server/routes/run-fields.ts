/** The fields that start a run, and their conversion to a request. A field means the same as the flag of its name. */
import { z } from 'zod';
import { settingFields } from '../../config/setting-schemas.ts';
import { mostNameCharacters, wordsSchema } from '../../config/setting-types.ts';
import { mostReviewRounds } from '../../config/settings.ts';
import { priorities } from '../../tags/priorities.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { phases } from '../../tags/tags.ts';
import type { ReviewStart } from '../../runs/start/start-request.ts';
import { titleOfStart } from '../runs/title-of-start.ts';
import type { RunRequest } from './run-request.ts';

/** Characters of a task, as on the command line. */
const mostTaskCharacters = 256 * 1024;

/** A git revision. A leading hyphen would turn it into a flag of git. */
const revision = wordsSchema(z, mostNameCharacters).regex(/^[^-]/, 'begins with a hyphen');

/** More than a review reports. */
const mostFindings = 500;

const changeSchema = z
  .union([
    z.strictObject({ diff: z.string().describe('a diff as git makes it') }),
    z.strictObject({ range: revision.regex(/^[^./][^]*\.\.|^\.\./, 'is not a range: write main...HEAD') }),
    z.strictObject({ base: revision }),
    z.strictObject({ staged: z.literal(true) }),
    z.strictObject({ commit: revision }),
    z.strictObject({}),
  ])
  .describe('what is reviewed; an empty object: the working tree of the folder that is served');
export type WantedChange = z.infer<typeof changeSchema>;

const prioritySchema = z
  .enum(priorities)
  .optional()
  .describe('the place among the queued runs of the tenant, if workers drive them; default: person');

const reviewSchema = z.strictObject({
  kind: z.literal('review'),
  input: changeSchema.default({}),
  ...settingFields('review'),
  priority: prioritySchema,
});

const workflowSchema = z.strictObject({
  kind: z.literal('run'),
  task: z.string().min(1).max(mostTaskCharacters),
  ...settingFields('run'),
  phases: z.array(z.enum(phases)).min(1).optional(),
  priority: prioritySchema,
  yes: z.boolean().optional().describe('accept every gate'),
  max_review_rounds: z.int().positive().max(mostReviewRounds).optional(),
  apply: z.boolean().optional().describe('bring the result into the files of the folder at the end'),
});

const fixSchema = z.strictObject({
  kind: z.literal('fix'),
  run: wordsSchema(z, mostNameCharacters)
    .optional()
    .describe('the run whose findings they are; default: the newest of the conversation'),
  findings: z
    .array(wordsSchema(z, mostNameCharacters))
    .min(1)
    .max(mostFindings)
    .optional()
    .describe('their numbers in the report: 2 or F2'),
  all_critical: z.boolean().optional().describe('fix every Critical finding'),
  ...settingFields('fix'),
  yes: z.boolean().optional().describe('ask nothing'),
  max_review_rounds: z.int().positive().max(mostReviewRounds).optional(),
  apply: z.boolean().optional().describe('bring the result into the files of the folder at the end'),
});

const fieldsOf = { review: reviewSchema, run: workflowSchema, fix: fixSchema } as const;

export const runFieldsSchema = z.discriminatedUnion('kind', [reviewSchema, workflowSchema, fixSchema]);
export type RunFields = z.infer<typeof runFieldsSchema>;

export function requestOf(
  fields: RunFields,
  { speaker, token }: Pick<RunRequest, 'speaker' | 'token'>,
): RunRequest {
  const request = fields.kind === 'review' ? reviewOf(fields) : fields;
  return {
    speaker,
    token,
    wanted: { kind: 'start', request },
    title: titleOfStart(request),
    skills: [],
    tokens: {},
    files: [],
  };
}

function reviewOf({ input, ...words }: z.infer<typeof reviewSchema>): ReviewStart {
  return { changes: changesOf(input), ...words };
}

function changesOf(input: WantedChange): ReviewStart['changes'] {
  if ('diff' in input) return [{ kind: 'stdin', text: input.diff }];
  if ('range' in input) return [{ kind: 'range', range: input.range }];
  if ('base' in input) return [{ kind: 'base', ref: input.base }];
  if ('staged' in input) return [{ kind: 'staged' }];
  if ('commit' in input) return [{ kind: 'commit', sha: input.commit }];
  return [];
}

/** Replaces the flags in an error by the fields that mean the same. */
export function inFieldNames(error: unknown, { kind }: Pick<RunFields, 'kind'>): unknown {
  if (!(error instanceof CollabError)) return error;
  const { shape } = fieldsOf[kind];
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
