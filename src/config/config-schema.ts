/** The schema of `collab.config.yaml`: snake_case, strict, every key optional. Source of `schemas/collab.config.json`. */
import { z } from 'zod';
import { phases, severities, type Phase } from '../tags/tags.ts';
import { durationPattern } from './duration.ts';
import { most, reportFormats, ruleSets } from './settings.ts';

const duration = z
  .string()
  .regex(durationPattern, 'must be a duration such as 30s, 9m or 1h30m')
  .describe('A duration: 500ms, 30s, 9m, 1h30m.');
/** A limit of zero would end every turn before it starts. */
const span = duration.regex(/[1-9]/, 'must be longer than nothing');
const count = z.int().min(0).max(100);
const path = z.string().min(1);

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
        'Whether the lead checks Critical and Important findings; auto: where there is one. Default auto.',
      ),
    allow_static: z
      .boolean()
      .optional()
      .describe('With CI set: static checks are enough where no model is available.'),
    on_advisor_failure: z
      .enum(['stop', 'continue'])
      .optional()
      .describe('In collab run: whether the lead goes on where a consult got no answer. Default stop.'),
    fail_on: z
      .enum([...severities, 'never'])
      .optional()
      .describe('Exit 1 at this grade or worse. Default critical.'),
    allow_empty: z.boolean().optional().describe('An empty diff is no error.'),
    fail_on_empty: z.boolean().optional().describe('Exit 3 where every file of the change is skipped.'),
    rules: z
      .enum(ruleSets)
      .optional()
      .describe('Which rules look at a change: default, or all, with those that are often beside the point.'),
    format: z.enum(reportFormats).optional().describe('What goes to standard output. Default terminal.'),
    reports: z
      .array(z.strictObject({ format: z.enum(reportFormats), file: path }))
      .optional()
      .describe('Reports to write besides.'),
    focus: z.string().optional().describe('Where to look above all.'),
    instructions: path
      .optional()
      .describe("A file with the project's own review instructions. Default REVIEW.md, where there is one."),
    suppressions: path
      .optional()
      .describe('A file with findings that do not count, such as collab.suppressions.yaml.'),
    include: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Review only files that match one of these globs, generated, vendored and lock files among them.',
      ),
    exclude: z.array(z.string().min(1)).optional().describe('Leave files out that match one of these globs.'),
    language: z.string().min(2).optional().describe("The language of the advisor's prose, as a BCP 47 tag."),
    time_limit: span
      .optional()
      .describe('For the whole run. Default: 1h for each started 10 chunks of a review.'),
    budget_usd: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe('What all calls of a run may cost, in US dollars. Default: no limit.'),
    budget_tokens: z
      .int()
      .min(1)
      .max(most.budgetTokens)
      .optional()
      .describe('What all calls of a run may use, in tokens of every kind. Default: no limit.'),
    budget_calls: z
      .int()
      .min(1)
      .max(most.budgetCalls)
      .optional()
      .describe('How many agent calls a run may make, repeated ones too. Default: no limit.'),
    cache: z
      .boolean()
      .optional()
      .describe('Unchanged chunks of a review are answered from earlier runs. Default true.'),
    concurrency: z.int().min(1).max(most.concurrency).optional().describe('Exchanges at a time. Default 3.'),
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
        repairing: count.optional().describe('Asking again for the structure. Default 2.'),
        completing: count.optional().describe('Asking for missing sections. Default 2.'),
        recontextualising: count.optional().describe('Giving the context again. Default 1.'),
        shortening: count.optional().describe('Asking with a shorter prompt. Default 2.'),
        waiting: count.optional().describe('Waiting for an overloaded agent. Default 3.'),
        answering: count.optional().describe('Questions of the advisor that are answered. Default 3.'),
        attempts: z.int().min(1).max(100).optional().describe('Requests in all. Default 6.'),
      })
      .optional()
      .describe('How often one exchange may try again.'),
    waits: z
      .array(duration)
      .min(1)
      .optional()
      .describe('Before the first, second … repeat of an overloaded call. Default 5s, 15s, 45s.'),
    provider_paths: z
      .array(path)
      .optional()
      .describe("Folders with providers of one's own, a folder each. Default: ai_client, where it is there."),
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
      .describe('Of a turn of a conversation that collab serve streams; null: none. Default 300.'),
    tools: tools
      .optional()
      .describe('Which tools a conversation has, and who may use them without being asked.'),
  })
  .describe('Configuration of collab.');

export type Config = z.infer<typeof configSchema>;

/** Returns the JSON Schema that ships with the package, for editors. @internal */
export function renderConfigSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ title: 'collab.config.yaml', ...schema }, null, 2)}\n`;
}
