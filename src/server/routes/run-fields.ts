/** The fields that start a run: they are the flags of `collab review` and `collab run`, and are handled the same way. */
import { z } from 'zod';
import { durationPattern } from '../../config/duration.ts';
import { failOnGrades } from '../../review/outcome/outcome.ts';
import { titleOf } from '../../text/title-of.ts';
import { phases } from '../../tags/tags.ts';
import type { Speaker } from '../../access/speaker.ts';
import type { RunRequest } from './run-request.ts';

/** Characters of a task, as on the command line. */
const mostTaskCharacters = 256 * 1024;

const words = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\0]*$/, 'holds a NUL');
/** A git revision. A leading hyphen would turn it into a flag. */
const revision = words(1000).regex(/^[^-]/, 'begins with a hyphen');
const agent = words(1000).describe('auto, or <provider[:model]>');
const glob = words(1000);

const common = {
  advisor: agent.optional(),
  lead: agent.optional(),
  fail_on: z.enum(failOnGrades).optional(),
  language: words(100).optional().describe("the language of the agents' prose, e.g. ja"),
  time_limit: z.string().regex(durationPattern, 'is no duration: write 90s, 20m or 2h').optional(),
  concurrency: z.int().positive().max(64).optional(),
  budget_usd: z.number().positive().max(999_999).optional(),
  budget_tokens: z.int().positive().optional(),
  budget_calls: z.int().positive().optional(),
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
  focus: words(10_000).optional().describe('where to look above all'),
  include: z.array(glob).max(100).optional(),
  exclude: z.array(glob).max(100).optional(),
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
  max_review_rounds: z.int().positive().max(20).optional(),
  apply: z.boolean().optional().describe('bring the result into the files of the folder at the end'),
});

export const runFieldsSchema = z.discriminatedUnion('kind', [reviewSchema, workflowSchema]);
export type RunFields = z.infer<typeof runFieldsSchema>;

interface CommandWords {
  readonly args: readonly string[];
  readonly text: string | null;
  readonly title: string;
}

export function requestOf(fields: RunFields, speaker: Speaker): RunRequest {
  const { args, text, title } = commandOf(fields);
  return {
    speaker,
    wanted: { kind: 'command', args, text },
    title: titleOf(title),
    skills: [],
    tokens: {},
    files: [],
  };
}

/** Joins values to their flags and puts positional arguments after `--`, so that no value is read as a flag. */
function commandOf(fields: RunFields): CommandWords {
  if (fields.kind === 'run') {
    const { kind, task, phases: wanted, ...flags } = fields;
    const only = wanted === undefined ? [] : [`--phases=${wanted.join(',')}`];
    return { args: [kind, ...flagsOf(flags), ...only, '--', task], text: null, title: task };
  }
  const { kind, input, ...flags } = fields;
  const change = changeOf(input);
  return { args: [kind, ...flagsOf(flags), ...change.args], text: change.text, title: change.title };
}

function changeOf(input: WantedChange): CommandWords {
  if ('diff' in input) return { args: ['--', '-'], text: input.diff, title: 'a diff' };
  if ('range' in input) return { args: ['--', input.range], text: null, title: input.range };
  if ('base' in input) return { args: [`--base=${input.base}`], text: null, title: `${input.base}...HEAD` };
  if ('staged' in input) return { args: ['--staged'], text: null, title: 'staged changes' };
  if ('commit' in input)
    return { args: [`--commit=${input.commit}`], text: null, title: `commit ${input.commit}` };
  return { args: [], text: null, title: 'the working tree' };
}

type Flag = string | number | boolean | readonly string[] | undefined;

/** `--fail-on=minor`, `--allow-empty`, `--no-cache`; a list repeats the flag. */
function flagsOf(fields: Readonly<Record<string, Flag>>): readonly string[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const name = field.replaceAll('_', '-');
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    if (value === false) return negatable.has(field) ? [`--no-${name}`] : [];
    return (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${one}`);
  });
}

/** Flags that are true by default; for the others, `false` is the default. */
const negatable: ReadonlySet<string> = new Set(['verify', 'cache']);
