/**
 * `CollabEvent`: everything that happens in a run, in order. The journal is a list of these, one JSON object per line;
 * terminal, SSE and `--json` are projections of it. Field names are the wire's snake_case.
 * Source: `references/events.md`, version 1.
 */
import { z } from 'zod';
import { claimClasses } from '../tags/claims.ts';
import { severities } from '../tags/severities.ts';
import { answerTags, phases, requestTags, reverseTags } from '../tags/tags.ts';

export const eventVersion = 1;

export const agentSchema = z.object({
  id: z.string(),
  role: z.enum(['lead', 'advisor', 'sub']),
  provider: z.string(),
  model: z.string().optional(),
});
export type EventAgent = z.infer<typeof agentSchema>;

/** Tokens of one model call. `input` is uncached input only (B.5); `cost` is in US dollars, null when unpriced. */
export const usageSchema = z.object({
  model: z.string(),
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cache_read: z.int().nonnegative(),
  cache_write_5m: z.int().nonnegative(),
  cache_write_1h: z.int().nonnegative(),
  reasoning: z.int().nonnegative().optional(),
  cost: z.number().nonnegative().nullable(),
  cost_basis: z.enum(['profile', 'estimated', 'reported', 'unknown']),
});
export type Usage = z.infer<typeof usageSchema>;

export const errorKinds = [
  'locked',
  'cli_missing',
  'auth',
  'model',
  'options',
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'timeout',
  'context_limit',
  'protocol',
  'parse',
  'internal',
  'orphaned',
  'cancelled',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** The reasons to reject an attempt; each has its own rung of the ladder. */
export const rejectionReasons = [
  'marker_absent',
  'incomplete',
  'malformed',
  'timed_out',
  'irrelevant',
  'empty',
  'cut',
  'overloaded',
  'unavailable',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** The next action of the exchange machine; these are its state names. */
export const exchangeActions = [
  'repairing',
  'completing',
  'recontextualising',
  'answering',
  'shortening',
  'waiting',
  'settled',
  'exhausted',
  'unavailable',
] as const;
export type ExchangeAction = (typeof exchangeActions)[number];

/**
 * The ways an exchange can end. `exhausted`: the protocol, the time or the budget ran out; `unavailable`: the agent cannot run.
 */
export const exchangeOutcomes = ['settled', 'exhausted', 'unavailable'] as const;
export type ExchangeOutcome = (typeof exchangeOutcomes)[number];

/** `nothing_reviewed`: there was no line to review, so nothing can be said about the change. */
export const outcomes = ['clean', 'findings', 'nothing_reviewed', 'incomplete', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

export const verdicts = ['unverified', 'confirmed', 'disputed', 'rejected'] as const;

export const placements = ['exact', 'loose', 'file', 'unplaced'] as const;
export type Placement = (typeof placements)[number];

/**
 * The reasons not to use a replacement. `masked`: it contains a masked value or a secret; `quotation`: the lines to replace were
 * not found exactly; `unclear`: it has the marks of a diff, line numbers, omissions or invisible characters.
 */
export const unusableReplacements = ['masked', 'quotation', 'unclear'] as const;
export type UnusableReplacement = (typeof unusableReplacements)[number];

/** The source of an answer that was not requested in this run. */
export const cachedSchema = z.object({
  /** The run that requested it. */
  run_id: z.string(),
  answered_at: z.iso.datetime(),
});
export type Cached = z.infer<typeof cachedSchema>;

/** The reason for suppressing a finding by hand, and the expiry date. */
const suppressionSchema = z.object({
  reason: z.string(),
  /** The last day on which it applies, in UTC; null if it never expires. */
  expires: z.iso.date().nullable(),
  /** True if it had expired on the day the run started: the finding counts again. */
  expired: z.boolean(),
});

/** The line that identifies the place of a finding; white space is normalized. */
export const anchorSchema = z.object({
  line: z.string(),
  /** The declaration around it; null if the change does not show it. */
  symbol: z.string().nullable(),
  /** The number among equal lines in that declaration, from 1; 0 if the place is unknown. */
  ordinal: z.int().nonnegative(),
});
export type Anchor = z.infer<typeof anchorSchema>;

/** One review issue, as in `result.json` and `finding.reported`. Lines are 1-based. */
export const findingSchema = z.object({
  id: z.string(),
  /** Claim and anchor as a digest. Stable across runs: a later run takes it over from the finding that it recognizes. */
  identity: z.string(),
  /** The identity as version 0.1.0 computed it, for suppressions of that time. */
  first_identity: z.string().optional(),
  /** Omitted if the finding quotes nothing, and in results of version 0.1.0. */
  anchor: anchorSchema.optional(),
  severity: z.enum(severities),
  severity_inferred: z.boolean().optional(),
  title: z.string(),
  body: z.string(),
  remedy: z.string().optional(),
  /** The class of the claim; omitted if the answer named none of the set, and in results of version 0.1.0. */
  claim: z.enum(claimClasses).optional(),
  /** The text instead of the lines from `start_line` to `end_line` of the new side; an empty text removes them. */
  replacement: z.string().optional(),
  /** The reason that the answer's replacement was not used. */
  replacement_unused: z.enum(unusableReplacements).optional(),
  path: z.string().nullable(),
  start_line: z.int().positive().nullable(),
  end_line: z.int().positive().nullable(),
  side: z.enum(['new', 'old']).nullable(),
  placement: z.enum(placements),
  quote: z.string().nullable(),
  verdict: z.enum(verdicts),
  /** Set if the advisor gave the verdict in a fresh thread; otherwise it is the lead's. */
  judged_by: z.literal('advisor').optional(),
  evidence: z.string().optional(),
  /**
   * `rule:<id>` if a rule without a model found it, `tool:<name>/<rule>` if another tool did, alone or together with a model;
   * absent if only a model did.
   */
  source: z.string().optional(),
  /** The passes of a deep review that reported it: lenses, or `missed`; absent in other reviews. */
  found_by: z.array(z.string()).optional(),
  /** False if only the owner's suppressions may reject it; if absent, a model may, by quoting code that contradicts it. */
  rejectable: z.boolean().optional(),
  /** True if the baseline, an earlier result, also lists it: it is still there, and does not count. */
  baseline: z.boolean().optional(),
  /**
   * The lower severity that the baseline or the suppression file lists; neither applies to the finding at its current severity.
   */
  known_as: z.enum(severities).optional(),
  /** True if it is about a file outside the change: it decides the exit code only if it is confirmed. */
  outside_change: z.boolean().optional(),
  /** The matching entry of the suppression file; the finding does not count until that expires. */
  suppressed: suppressionSchema.optional(),
  /** True if it is on lines that the last fix of this run wrote. */
  caused_by_fix: z.boolean().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const fileStatuses = ['reviewed', 'scanned', 'skipped', 'failed'] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** The party that skipped a file: `collab` by its rules, the repository by its settings before the change, the user by a flag. */
export const skippedBy = ['collab', 'repository', 'user'] as const;
export type SkippedBy = (typeof skippedBy)[number];

const toolStatus = z.enum(['pending', 'running', 'completed', 'error']);
const json = z.json();

function body<const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}

const bodies = [
  // run
  body('run.started', {
    name: z.string(),
    session_id: z.string().optional(),
    model: z.string().optional(),
    tools: z.array(z.string()),
    cwd: z.string(),
  }),
  body('run.ended', {
    status: z.enum(['success', 'error', 'cancelled']),
    outcome: z.enum(outcomes).nullable(),
    reasons: z.array(z.string()),
    result: z.string().nullable(),
    errors: z.array(z.string()),
    duration_ms: z.int().nonnegative(),
    turns: z.int().nonnegative(),
  }),
  // session
  body('session.bound', { provider_session_id: z.string(), resumable: z.boolean() }),
  body('turn.started', {}),
  body('turn.ended', { stop_reason: z.string().nullable(), usage: usageSchema.nullable() }),
  // text and thinking
  body('text.start', { block_id: z.string(), follow_up: z.boolean() }),
  body('text.delta', { block_id: z.string(), text: z.string() }),
  body('text.end', { block_id: z.string(), text: z.string() }),
  body('thinking.delta', { block_id: z.string(), text: z.string() }),
  body('thinking.end', {
    block_id: z.string(),
    signature: z.string().optional(),
    redacted: z.boolean().optional(),
  }),
  // tool
  body('tool.input', { call_id: z.string(), name: z.string(), delta: z.string() }),
  body('tool.call', {
    call_id: z.string(),
    name: z.string(),
    display_name: z.string(),
    args: z.record(z.string(), json),
    summary: z.string(),
    trigger: z.enum(['agent', 'user']),
    ui: json.optional(),
  }),
  body('tool.status', { call_id: z.string(), status: toolStatus, message: z.string() }),
  body('tool.output', { call_id: z.string(), chunk: z.string() }),
  body('tool.result', {
    call_id: z.string(),
    name: z.string(),
    content: z.string(),
    data: json.optional(),
    is_error: z.boolean(),
    exit_code: z.int().nullable().optional(),
    duration_ms: z.int().nonnegative(),
  }),
  // content
  body('media', { kind: z.enum(['image', 'audio', 'video']), mime_type: z.string(), data: z.string() }),
  body('ui', { component: json }),
  body('file.changed', {
    path: z.string(),
    kind: z.enum(['add', 'update', 'delete']),
    diff: z.string().optional(),
  }),
  body('plan.updated', { items: z.array(z.object({ text: z.string(), done: z.boolean() })) }),
  // agents
  body('agent.started', {
    agent_id: z.string(),
    agent_type: z.string(),
    description: z.string(),
    model: z.string().optional(),
  }),
  body('agent.ended', {
    agent_id: z.string(),
    status: z.enum(['completed', 'error']),
    preview: z.string().optional(),
  }),
  // exchange (001)
  body('exchange.sent', {
    tag: z.enum(requestTags),
    attempt: z.int().positive(),
    /** The exchange whose request lost the lines that this one asks about. */
    parent_exchange_id: z.string().optional(),
    prompt_bytes: z.int().nonnegative(),
    prompt_ref: z.string(),
    /** The question in the lead's words; only with an exchange's first request. */
    question: z.string().optional(),
    /** The files of the change in this request, with the number of their changed lines. */
    files: z.array(z.object({ path: z.string(), lines: z.int().nonnegative() })).optional(),
    /** Present if nothing was sent: the answer is from an earlier run's identical request. */
    cached: cachedSchema.optional(),
    /** The reason an earlier run's answer was not used. */
    cache_fault: z.string().optional(),
  }),
  body('exchange.received', {
    tag: z.enum(answerTags),
    sections: z.record(z.string(), z.string()),
    issues: z.int().nonnegative().optional(),
    merged_from: z.array(z.int().positive()).optional(),
  }),
  body('exchange.rejected', {
    reason: z.enum(rejectionReasons),
    detail: z.string(),
    /** The shared words of an answer that counts as irrelevant: 0 for none, 1 for all. */
    score: z.number().min(0).max(1).optional(),
    action: z.enum(exchangeActions),
  }),
  body('exchange.ended', { outcome: z.enum(exchangeOutcomes), attempts: z.int().nonnegative() }),
  body('exchange.asked_back', { tag: z.enum(reverseTags), text: z.string() }),
  body('exchange.answered_back', {
    by: z.enum(['lead', 'user', 'caller', 'policy']),
    declined: z.string().optional(),
    text: z.string(),
  }),
  // control
  body('state', { state: z.enum(['thinking', 'generating', 'waiting']) }),
  body('permission', {
    call_id: z.string(),
    decision: z.enum(['allow', 'deny']),
    by: z.enum(['policy', 'user']),
  }),
  body('title', { title: z.string() }),
  body('usage', usageSchema.shape),
  body('context', { tokens: z.int().nonnegative(), max: z.int().positive() }),
  body('error', {
    kind: z.enum(errorKinds),
    message: z.string(),
    retryable: z.boolean(),
    /** The wait that the service requests. */
    retry_after_ms: z.int().nonnegative().optional(),
    /** Present if the failed request is repeated after this wait: the run goes on. */
    repeat_in_ms: z.int().nonnegative().optional(),
    cause: z.string().optional(),
  }),
  // step
  body('step.begun', { step: z.string(), attempt: z.int().positive(), input_digest: z.string() }),
  body('step.bound', { step: z.string(), session_id: z.string() }),
  body('step.ended', {
    step: z.string(),
    attempt: z.int().positive(),
    /** Exactly one of `value` and `value_ref` (a blob's SHA-256) is present. */
    value: json.optional(),
    value_ref: z.string().optional(),
  }),
  /** Voids everything that this attempt opened and did not close. `lost` (the default): its process ended. */
  body('step.abandoned', {
    step: z.string(),
    attempt: z.int().positive(),
    reason: z.enum(['lost', 'refused']).optional(),
  }),
  // phase
  body('phase.started', { phase: z.enum(phases), round: z.int().positive() }),
  body('phase.ended', { phase: z.enum(phases), round: z.int().positive(), result: z.string() }),
  // question
  body('question.asked', {
    name: z.string(),
    kind: z.enum(['gate', 'clarification', 'lead_turn', 'reverse']),
    text: z.string(),
    schema: json,
  }),
  body('question.answered', {
    name: z.string(),
    by: z.enum(['user', 'lead', 'caller', 'policy']),
    value: json,
  }),
  // review
  body('review.planned', {
    files: z.int().nonnegative(),
    lines: z.int().nonnegative(),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    chunks: z.array(
      z.object({
        name: z.string(),
        paths: z.array(z.string()),
        estimated_tokens: z.int().nonnegative(),
        lines: z.int().nonnegative().optional(),
      }),
    ),
    /** The lenses of a deep review: each chunk gets an exchange for each; absent if one pass looks for everything. */
    lenses: z.array(z.string()).optional(),
  }),
  body('finding.reported', { finding: findingSchema }),
  body('finding.judged', {
    id: z.string(),
    verdict: z.enum(verdicts),
    evidence: z.string(),
    cached: cachedSchema.optional(),
    cache_fault: z.string().optional(),
  }),
  body('coverage', {
    path: z.string(),
    status: z.enum(fileStatuses),
    reason: z.string().optional(),
    skipped_by: z.enum(skippedBy).optional(),
  }),
  // budget, raw
  body('budget', {
    spent: z.number().nonnegative(),
    left: z.number().nullable(),
    unit: z.enum(['usd', 'tokens', 'calls']).optional(),
  }),
  body('raw', { provider: z.string(), line: z.string() }),
] as const;

const envelope = z.object({
  v: z.literal(eventVersion),
  run_id: z.string(),
  /** 1, 2, 3 … without a gap within a run. */
  seq: z.int().positive(),
  /** UTC, six fractional digits: `2026-11-21T09:30:00.000000Z`. */
  ts: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  conversation_id: z.string(),
  tenant_id: z.string(),
  agent: agentSchema,
  parent_agent_id: z.string().optional(),
  /** The model turn; 0 before the first one. */
  turn: z.int().nonnegative(),
  exchange_id: z.string().optional(),
  /** The step whose attempt emitted this; `step.abandoned` uses it to find what is void. */
  step: z.string().optional(),
  raw: z.string().optional(),
});

/** The event itself, without its time and place in the run. */
export const eventBodySchema = z.discriminatedUnion('type', bodies);
export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];

export const collabEventSchema = z.intersection(envelope, eventBodySchema);
export type CollabEvent = z.infer<typeof collabEventSchema>;
export type CollabEventOf<Type extends EventType> = Extract<EventBody, { type: Type }> &
  z.infer<typeof envelope>;
