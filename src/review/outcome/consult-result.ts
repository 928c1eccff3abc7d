/**
 * `result.json` of a consult: one answer of the advisor, for programs. The shape is published; a field is added, never
 * changed.
 */
import { z } from 'zod';
import { noTokens } from '../../events/tokens.ts';
import { agentFactsSchema, attemptFactsSchema, collabVersionSchema } from './result.ts';
import { agentUsageSchema, tokensSchema } from './usage.ts';
import { answerTags, phases, requestTags, reverseTags } from '../../tags/tags.ts';
import { version } from '../../version.ts';

const consultSchemaName = 'collab.consult/v1';

/** The outcomes of a consult; `unfinished` until it has ended. */
export const consultOutcomes = ['settled', 'exhausted', 'unavailable', 'cancelled', 'unfinished'] as const;

const section = z.object({
  /** The protocol's name: `RISKS`. */
  name: z.string(),
  /** Markdown, as the advisor wrote it, with secrets masked. */
  text: z.string(),
  /** `empty`: the advisor answered that there is nothing. */
  state: z.enum(['filled', 'empty']),
});

const askedBack = z.object({
  tag: z.enum(reverseTags),
  question: z.string(),
  by: z.enum(['lead', 'user', 'caller', 'policy']),
  /** The reason for giving no answer; null if there was one. */
  declined: z.string().nullable(),
  answer: z.string(),
});

/** A consult's result. Until `state` is `ended`, `outcome` is `unfinished` and `exit_code` 4. */
export const consultResultSchema = z.object({
  schema: z.literal(consultSchemaName),
  collab_version: collabVersionSchema,
  run_id: z.string(),
  /** The id of the first run of the conversation. */
  conversation_id: z.string(),
  state: z.enum(['running', 'waiting', 'interrupted', 'ended']),
  outcome: z.enum(consultOutcomes),
  /** The reasons that it did not settle, one sentence each; empty if it settled. */
  reasons: z.array(z.string()),
  phase: z.enum(phases),
  tag: z.enum(requestTags),
  answer_tag: z.enum(answerTags),
  advisor: agentFactsSchema,
  /** The lead: `caller`, `user` or a provider. */
  lead: agentFactsSchema.nullable(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  /** SHA-256 of the brief. */
  brief_digest: z.string(),
  /** The settled answer; if it did not settle, the available part. */
  sections: z.array(section),
  /** Required sections that the answer lacks. */
  missing: z.array(z.string()),
  /** The advisor's reverse requests, in order. */
  asked_back: z.array(askedBack),
  exchanges: z.array(
    z.object({ id: z.string(), tag: z.enum(requestTags), attempts: z.array(attemptFactsSchema) }),
  ),
  /** The sum of all calls of the run; `usage_by` splits it by agent. */
  usage: tokensSchema,
  /** In US dollars; null if the price of any call is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  usage_by: z.array(agentUsageSchema).default([]),
  exit_code: z.int().nonnegative(),
});
export type ConsultResult = z.infer<typeof consultResultSchema>;

/** The facts about a consult that are known from its start. */
export type ConsultFacts = Pick<
  ConsultResult,
  | 'run_id'
  | 'conversation_id'
  | 'phase'
  | 'tag'
  | 'answer_tag'
  | 'advisor'
  | 'lead'
  | 'started_at'
  | 'brief_digest'
>;

/**
 * Returns the `result.json` of a consult that has not ended, so that no reader mistakes an older answer for this one.
 */
export function unfinishedConsultResult(
  facts: ConsultFacts,
  state: 'running' | 'waiting' | 'interrupted',
): ConsultResult {
  return {
    schema: consultSchemaName,
    collab_version: version,
    ...facts,
    state,
    outcome: 'unfinished',
    reasons: ['the consult has not ended'],
    ended_at: null,
    sections: [],
    missing: [],
    asked_back: [],
    exchanges: [],
    usage: noTokens,
    cost_usd: null,
    usage_by: [],
    exit_code: 4,
  };
}

/**
 * Returns the JSON Schema 2020-12 of `result.json`; unknown fields are allowed, because later versions of v1 may add
 * some.
 *
 * @internal
 */
export function consultResultJsonSchema(): object {
  return {
    ...z.toJSONSchema(consultResultSchema, { io: 'input' }),
    title: `${consultSchemaName}: the result of a collab consult`,
  };
}
