/** The schema of `collab.config.yaml`: snake_case, strict, every key optional. Source of `schemas/collab.config.json`. */
import { z } from 'zod';
import { phases, severities, type Phase } from '../tags/tags.ts';
import { durationPattern } from './duration.ts';
import { languageFault, languagePattern } from './language-tag.ts';
import { most, reportFormats, ruleSets } from './settings.ts';

const duration = z
  .string()
  .regex(durationPattern, 'must be a duration such as 30s, 9m or 1h30m')
  .describe('A duration: 500ms, 30s, 9m, 1h30m.');
/** A limit of zero would end every turn before it starts. */
const span = duration.regex(/[1-9]/, 'must be longer than nothing');
const count = z.int().min(0).max(100);
const path = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/, 'must not contain a NUL');

const limits = z.strictObject({
  first_sign: span.optional().describe('Until the agent has answered and begun the turn. Default 30s.'),
  first_byte: span.optional().describe('From a request until the model begins to answer. Default 2m.'),
  idle: span.optional().describe('Without any sign of life. Default 5m.'),
  total: span.optional().describe('In all; extended once by half while the agent still works. Default 30m.'),
});

/** Not a record, so that a misspelled phase is an unknown key and the error can suggest the right one. */
function eachPhase<Schema>(schema: Schema): Record<Phase, Schema> {
  const [requirements, design, implementation, review] = phases;
  return { [requirements]: schema, [design]: schema, [implementation]: schema, [review]: schema };
}

const toolRule = z.union([
  z.enum(['allow', 'ask', 'deny']),
  z.strictObject({
    agent: z.enum(['allow', 'ask', 'deny']).optional().describe('For calls of the model.'),
    user: z.enum(['allow', 'deny']).optional().describe('For commands that you write. Default allow.'),
  }),
]);

const tools = z.strictObject({
  policy: z
    .record(z.string().regex(/^(?:\*|[A-Za-z_][\w.-]*(?:\.\*)?)$/), toolRule)
    .optional()
    .describe(
      'By name, by a group such as git.* or for all (*); the closest one holds. Default: what looks runs, the rest is asked.',
    ),
  web_fetch: z
    .strictObject({
      hosts: z
        .array(z.string().min(1))
        .optional()
        .describe('Only these, such as *.example.org. Default: any.'),
      private_addresses: z.boolean().optional().describe('This machine and its network too. Default: no.'),
    })
    .optional()
    .describe('Adds the tool WebFetch, which is off by default.'),
});

const providerSettings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const configSchema = z
  .strictObject({
    advisor: z
      .string()
      .min(1)
      .optional()
      .describe('Who reviews: auto, <provider> or <provider>:<model>. Default auto.'),
    lead: z
      .string()
      .min(1)
      .optional()
      .describe('Who leads: auto, caller, none, <provider> or <provider>:<model>. Default auto.'),
    verify: z
      .union([z.boolean(), z.literal('auto')])
      .optional()
      .describe(
        'Whether the lead checks Critical and Important findings; auto: if there is a lead. Default auto.',
      ),
    allow_static: z
      .boolean()
      .optional()
      .describe('With CI set: accept static checks if no model is available.'),
    on_advisor_failure: z
      .enum(['stop', 'continue'])
      .optional()
      .describe('In collab run: whether the lead continues after a consult without an answer. Default stop.'),
    fail_on: z
      .enum([...severities, 'never'])
      .optional()
      .describe('Exit 1 at this severity or worse. Default critical.'),
    allow_empty: z.boolean().optional().describe('Accept an empty diff.'),
    fail_on_empty: z.boolean().optional().describe('Exit 3 if every file of the change is skipped.'),
    rules: z
      .enum(ruleSets)
      .optional()
      .describe('Rules for static checks: default, or all, including rules that are often irrelevant.'),
    format: z.enum(reportFormats).optional().describe('Format of standard output. Default terminal.'),
    reports: z
      .array(z.strictObject({ format: z.enum(reportFormats), file: path }))
      .optional()
      .describe('Report files to write as well.'),
    focus: z.string().optional().describe('What the review should focus on.'),
    instructions: path
      .optional()
      .describe("A file with the project's review instructions. Default REVIEW.md, if it exists."),
    suppressions: path
      .optional()
      .describe('A file with findings that do not count, such as collab.suppressions.yaml.'),
    include: z
      .array(z.string().min(1))
      .optional()
      .describe('Review only files that match one of these globs, even generated, vendored and lock files.'),
    exclude: z.array(z.string().min(1)).optional().describe('Exclude files that match one of these globs.'),
    language: z
      .string()
      .regex(languagePattern, languageFault)
      .optional()
      .describe("The language of the advisor's text, as a BCP 47 tag."),
    time_limit: span
      .optional()
      .describe('Limit of the whole run. Default: 1h for each started 10 chunks of a review.'),
    budget_usd: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe('Limit of the cost of all calls of a run, in US dollars. Default: no limit.'),
    budget_tokens: z
      .int()
      .min(1)
      .max(most.budgetTokens)
      .optional()
      .describe('Limit of the tokens of all calls of a run, of every kind. Default: no limit.'),
    budget_calls: z
      .int()
      .min(1)
      .max(most.budgetCalls)
      .optional()
      .describe('Limit of the agent calls of a run, including repeats. Default: no limit.'),
    cache: z
      .boolean()
      .optional()
      .describe('Whether earlier runs answer unchanged chunks of a review. Default true.'),
    concurrency: z
      .int()
      .min(1)
      .max(most.concurrency)
      .optional()
      .describe('Number of parallel exchanges. Default 3.'),
    chunk_tokens: z
      .int()
      .min(500)
      .max(1_000_000)
      .optional()
      .describe('Diff bytes / 4 in one exchange. Default 24000.'),
    limits: limits.optional().describe('Limits of one agent turn.'),
    phase_limits: z
      .strictObject(eachPhase(limits.optional()))
      .optional()
      .describe('Limits of one agent turn in one phase; they win over `limits`.'),
    budgets: z
      .strictObject({
        repairing: count.optional().describe('Requests for the structure. Default 2.'),
        completing: count.optional().describe('Requests for missing sections. Default 2.'),
        recontextualising: count.optional().describe('Requests with the context. Default 1.'),
        shortening: count.optional().describe('Requests with a shorter prompt. Default 2.'),
        waiting: count.optional().describe('Waits for an overloaded agent. Default 3.'),
        answering: count.optional().describe('Answered questions of the advisor. Default 3.'),
        attempts: z.int().min(1).max(100).optional().describe('Requests in all. Default 6.'),
      })
      .optional()
      .describe('Limits of repeats in one exchange.'),
    waits: z
      .array(duration)
      .min(1)
      .optional()
      .describe('Waits before the first, second … repeat of an overloaded call. Default 5s, 15s, 45s.'),
    provider_paths: z
      .array(path)
      .optional()
      .describe('Folders that contain your own providers. Default: ai_client, if it exists.'),
    providers: z
      .record(z.string().regex(/^[a-z][a-z0-9_]*$/), providerSettings)
      .optional()
      .describe('Settings of a provider by its name, such as codex: { path: /opt/codex/bin/codex }.'),
    stream_limit_seconds: z
      .int()
      .positive()
      .max(86_400)
      .nullable()
      .optional()
      .describe('Limit of a conversation turn that collab serve streams; null: none. Default 300.'),
    tools: tools.optional().describe('Tools of a conversation, and who may use them without a question.'),
  })
  .describe('Configuration of collab.');

export type Config = z.infer<typeof configSchema>;

/** Returns the JSON Schema that ships with the package, for editors. @internal */
export function renderConfigSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ title: 'collab.config.yaml', ...schema }, null, 2)}\n`;
}
