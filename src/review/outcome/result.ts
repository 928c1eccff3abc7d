/** `result.json`: the result of a review, for programs. The shape is published; a field is added, never changed. */
import { z } from 'zod';
import {
  cachedSchema,
  fileStatuses,
  findingSchema,
  outcomes,
  rejectionReasons,
  skippedBy,
} from '../../events/collab-event.ts';
import { noTokens } from '../../events/tokens.ts';
import { effortLevels } from '../../tags/effort.ts';
import { failOnGrades } from '../../tags/severities.ts';
import { phases, requestTags } from '../../tags/tags.ts';
import { version } from '../../version.ts';
import { baselineReportSchema, suppressionReportSchema } from '../findings/known-findings.ts';
import { judgedFixSchema } from '../findings/judge-fixes.ts';
import { assurances, type Coverage } from './coverage.ts';
import { renderReason } from './reasons.ts';
import { agentUsageSchema, tokensSchema } from './usage.ts';

const resultSchemaName = 'collab.review/v1';

const inputKinds = [
  'file',
  'stdin',
  'range',
  'base',
  'staged',
  'commit',
  'working_tree',
  'workflow',
  'fix',
] as const;

const count = z.int().nonnegative();
/** The version of `collab` that wrote the result; absent in results of earlier versions. */
export const collabVersionSchema = z.string().optional();

export const agentFactsSchema = z.object({
  provider: z.string(),
  /** The model name; null if the agent chooses, or has none. */
  model: z.string().nullable(),
  /** The version of the agent's program. */
  version: z.string().nullable(),
});

const receipt = z.object({
  exchange: z.string(),
  prompt_digest: z.string(),
  answer_digest: z.string().nullable(),
  ranges: z.array(
    z.object({ side: z.enum(['new', 'old']), start: z.int().positive(), end: z.int().positive() }),
  ),
  /** Set if the answer comes from an earlier run about the same lines. */
  cached: cachedSchema.optional(),
});

const coverage = z.object({
  files_changed: count,
  /** Added and removed lines, including those of skipped files. */
  lines_changed: count,
  /** Lines that were in a prompt to a model that returned a whole answer. */
  lines_reviewed: count,
  /** Lines that only rules read. */
  lines_scanned: count,
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(fileStatuses),
      reason: z.string().optional(),
      /** Set for a skipped file; absent in results of earlier versions. */
      skipped_by: z.enum(skippedBy).optional(),
      receipts: z.array(receipt),
    }),
  ),
});
export type ResultCoverage = z.infer<typeof coverage>;

export const attemptFactsSchema = z.object({
  rejected: z.enum(rejectionReasons).optional(),
  prompt_bytes: count,
  answer_bytes: count,
  duration_ms: count,
});

const input = z.object({
  kind: z.enum(inputKinds),
  /** Commit ids; null if that side is not a commit. */
  base: z.string().nullable(),
  head: z.string().nullable(),
  /** SHA-256 of the diff's text. */
  digest: z.string(),
});

/** The reasons that the work of a run ended. */
export const workflowEndCodes = [
  /** Every phase is done, and no Critical finding is left. */
  'done',
  'rounds_spent',
  'not_converging',
  'review_incomplete',
  'nothing_implemented',
  'advisor_failed',
  'lead_failed',
  'stopped',
  'cancelled',
] as const;
export type WorkflowEndCode = (typeof workflowEndCodes)[number];

/** The states of the second opinion: the check of Critical and Important findings by the lead or the advisor. */
export const opinionStates = [
  /** Every finding to be checked has a verdict. */
  'given',
  /** There is no verdict on some of them, or on all. */
  'missing',
  /** No finding is Critical or Important. */
  'not_needed',
  /** No agent is asked. */
  'off',
] as const;

const secondOpinion = z.object({
  state: z.enum(opinionStates),
  /** The reason that it is off or missing; null otherwise. */
  detail: z.string().nullable(),
  /** The agent that is asked: the lead, or the advisor in fresh threads; absent if none is, and in older results. */
  by: z.enum(['lead', 'advisor']).optional(),
  /** Ids of the findings that were sent to it. */
  asked: z.array(z.string()),
  /** Lead and advisor come from one vendor. */
  same_family: z.boolean(),
  /** Verdicts from an earlier run; their quotations were checked again; absent if there are none. */
  cached: z.array(z.object({ id: z.string(), ...cachedSchema.shape })).optional(),
});
export type SecondOpinionFacts = z.infer<typeof secondOpinion>;

const range = (unit: z.ZodNumber | z.ZodInt) => z.object({ least: unit, most: unit });

/** The effort of the review and what it was expected to use, without repeats; `usage` is what it used. */
const plannedEffort = z.object({
  level: z.enum(effortLevels),
  calls: range(count),
  /** Requests and answers; an agent's own reading is not included. */
  tokens: range(count),
  /** In US dollars, without discounts for cached input; null if the price was unknown before the calls. */
  usd: range(z.number().nonnegative()).nullable(),
});

const fix = z.object({
  /** The run whose findings they are. */
  run: z.string(),
  /** The fate of each; empty until the review of the fix has ended. */
  findings: z.array(judgedFixSchema),
});

const workflow = z.object({
  task: z.string(),
  /** `detail` is a sentence without its full stop. It is null until the end. */
  ended: z.object({ code: z.enum(workflowEndCodes), detail: z.string() }).nullable(),
  /** In the order in which they ran. */
  phases: z.array(z.object({ phase: z.enum(phases), round: z.int().positive(), result: z.string() })),
  /** `collab/<run>`; null without git, until it is created, and once the work is applied or the run cancelled. */
  branch: z.string().nullable(),
  /** `left`: `collab apply` brings the branch into the user's own tree. */
  applied: z.enum(['left', 'applied', 'refused']),
  /** The settled texts of the phases, in the lead's words, in their order; absent until it has ended. */
  settled: z.array(z.object({ phase: z.enum(phases), text: z.string() })).optional(),
  /** Consults without an answer, if the lead was allowed to continue. */
  without_advice: z.array(z.string()),
});

/** A secret that was masked with stars: its kind and place; never its value. */
export const coveredSecretSchema = z.object({
  /** `change`: before anything was sent; `answer`: before it was shown or kept. */
  in: z.enum(['change', 'answer']),
  /** The rule that found it. */
  rule: z.string(),
  /** The path of the file; null in an answer. */
  path: z.string().nullable(),
  side: z.enum(['new', 'old']).nullable(),
  line: z.int().positive().nullable(),
  /** The name of the exchange whose answer contained it; null in a change. */
  exchange: z.string().nullable(),
});
export type CoveredSecret = z.infer<typeof coveredSecretSchema>;

/** A review's result. Until `state` is `ended`, `outcome` is `failed`. */
export const reviewResultSchema = z.object({
  schema: z.literal(resultSchemaName),
  collab_version: collabVersionSchema,
  run_id: z.string(),
  state: z.enum(['running', 'waiting', 'interrupted', 'ended']),
  /** The outcome; null if a run of phases ended normally without a review. A review always has one. */
  outcome: z.enum(outcomes).nullable(),
  /** `code: sentence` each; the codes are a closed set. */
  reasons: z.array(z.string()),
  assurance: z.enum(assurances),
  advisor: agentFactsSchema.nullable(),
  lead: agentFactsSchema.nullable(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  input,
  coverage,
  strengths: z.array(z.string()),
  findings: z.array(findingSchema),
  suggestions: z.array(z.string()),
  /** The comparison with an earlier result; absent if none was given. */
  baseline: baselineReportSchema.optional(),
  /** The report on the entries of the suppression file; absent if none was given. */
  suppressions: suppressionReportSchema.optional(),
  exchanges: z.array(
    z.object({
      id: z.string(),
      tag: z.enum(requestTags),
      attempts: z.array(attemptFactsSchema),
      /** Set if no agent was called: an earlier run had the answer. */
      cached: cachedSchema.optional(),
    }),
  ),
  /** The sum of all calls of the run; `usage_by` splits it by agent. */
  usage: tokensSchema,
  /** In US dollars; null if the price of any call is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  usage_by: z.array(agentUsageSchema).default([]),
  /** Masked secrets; absent in results of earlier versions. */
  covered_secrets: z.array(coveredSecretSchema).optional(),
  fail_on: z.enum(failOnGrades),
  exit_code: count,
  /** Set once a review has ended; never in runs of phases. */
  second_opinion: secondOpinion.optional(),
  /** Set once a review has ended; absent in runs of phases and in results of earlier versions. */
  effort: plannedEffort.optional(),
  /** The result of `collab run` and of `collab fix`; absent in a plain review. */
  workflow: workflow.optional(),
  /** The findings that `collab fix` was to fix; absent in other runs. */
  fix: fix.optional(),
});
export type ReviewResult = z.infer<typeof reviewResultSchema>;

export interface UnfinishedOptions extends Pick<
  ReviewResult,
  'run_id' | 'started_at' | 'input' | 'advisor' | 'lead' | 'fail_on'
> {
  readonly state: 'running' | 'waiting' | 'interrupted';
  /** Known from the census on. */
  readonly coverage?: ResultCoverage;
}

/** The coverage before any line was reviewed. */
export const noCoverage: ResultCoverage = {
  files_changed: 0,
  lines_changed: 0,
  lines_reviewed: 0,
  lines_scanned: 0,
  files: [],
};

/**
 * Returns the content of `result.json` and every report file until the review has ended, so that no reader mistakes an
 * older one for this one.
 */
export function unfinishedResult({ state, coverage: known, ...facts }: UnfinishedOptions): ReviewResult {
  return {
    schema: resultSchemaName,
    collab_version: version,
    state,
    outcome: 'failed',
    reasons: [renderReason({ code: 'not_finished', text: 'the review has not ended' })],
    assurance: 'none',
    ended_at: null,
    coverage: known ?? noCoverage,
    strengths: [],
    findings: [],
    suggestions: [],
    exchanges: [],
    usage: noTokens,
    cost_usd: null,
    usage_by: [],
    exit_code: 4,
    ...facts,
  };
}

/** Converts the coverage to the names on the wire. */
export function coverageForResult({ files, ...counts }: Coverage): ResultCoverage {
  return {
    files_changed: counts.filesChanged,
    lines_changed: counts.linesChanged,
    lines_reviewed: counts.linesReviewed,
    lines_scanned: counts.linesScanned,
    files: files.map(({ path, status, reason, skippedBy: by, receipts }) => ({
      path,
      status,
      ...(reason === null ? {} : { reason }),
      ...(by === null ? {} : { skipped_by: by }),
      receipts: receipts.map(({ exchange, promptDigest, answerDigest, ranges, cached }) => ({
        exchange,
        prompt_digest: promptDigest,
        answer_digest: answerDigest,
        ranges: [...ranges],
        ...(cached === null ? {} : { cached }),
      })),
    })),
  };
}

/**
 * Returns the JSON Schema 2020-12 of `result.json`; unknown fields are allowed, because later versions of v1 may add
 * some.
 *
 * @internal
 */
export function reviewResultJsonSchema(): object {
  return {
    ...z.toJSONSchema(reviewResultSchema, { io: 'input' }),
    title: `${resultSchemaName}: the result of a collab review`,
  };
}
