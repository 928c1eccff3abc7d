/** The lines of `claude -p --output-format stream-json --verbose --include-partial-messages`, 2.1.330; only the fields we use. */
import { z } from 'zod';
import { parseJson } from '../../text/parse-json.ts';

const usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_creation: z
    .looseObject({
      ephemeral_5m_input_tokens: z.number().nullish(),
      ephemeral_1h_input_tokens: z.number().nullish(),
    })
    .nullish(),
  output_tokens_details: z.looseObject({ thinking_tokens: z.number().nullish() }).nullish(),
});
export type WireUsage = z.infer<typeof usage>;

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const thinkingBlock = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().nullish(),
});
const redactedBlock = z.looseObject({ type: z.literal('redacted_thinking') });
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.json()).nullish(),
});
const block = z.discriminatedUnion('type', [textBlock, thinkingBlock, redactedBlock, toolUseBlock]);
export type WireBlock = z.infer<typeof block>;
const otherBlock = z.looseObject({ type: z.string() });

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
export type WireToolResult = z.infer<typeof toolResult>;

const place = { parent_tool_use_id: z.string().nullish() };

const init = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  model: z.string().nullish(),
  cwd: z.string().nullish(),
  claude_code_version: z.string().nullish(),
});
const retry = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  retry_delay_ms: z.number().nullish(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
});
const rateLimit = z.looseObject({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.looseObject({ status: z.string(), rateLimitType: z.string().nullish() }),
});
const streamEvent = z.looseObject({
  type: z.literal('stream_event'),
  ...place,
  event: z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message_start'),
      message: z.looseObject({ id: z.string(), model: z.string().nullish(), usage: usage.nullish() }),
    }),
    z.looseObject({
      type: z.literal('content_block_start'),
      index: z.number(),
      content_block: z.union([block, otherBlock]),
    }),
    z.looseObject({
      type: z.literal('content_block_delta'),
      index: z.number(),
      delta: z.looseObject({
        type: z.string(),
        text: z.string().nullish(),
        thinking: z.string().nullish(),
        signature: z.string().nullish(),
        partial_json: z.string().nullish(),
      }),
    }),
    z.looseObject({ type: z.literal('content_block_stop'), index: z.number() }),
    z.looseObject({ type: z.literal('message_delta'), usage: usage.nullish() }),
    z.looseObject({ type: z.literal('message_stop') }),
    z.looseObject({ type: z.literal('ping') }),
  ]),
});
export type WireStreamEvent = z.infer<typeof streamEvent>['event'];

const assistant = z.looseObject({
  type: z.literal('assistant'),
  ...place,
  message: z.looseObject({
    id: z.string(),
    model: z.string().nullish(),
    content: z.array(z.union([block, otherBlock])),
    stop_reason: z.string().nullish(),
    usage: usage.nullish(),
  }),
});
const user = z.looseObject({
  type: z.literal('user'),
  ...place,
  message: z.looseObject({ content: z.union([z.string(), z.array(z.union([toolResult, otherBlock]))]) }),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z
    .array(
      z.looseObject({
        id: z.string(),
        permission_decision: z.looseObject({ decision: z.string() }).nullish(),
      }),
    )
    .nullish(),
});
const result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().nullish(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  stop_reason: z.string().nullish(),
  /** Usage of this process alone. */
  usage: usage.nullish(),
  /** Cost of the whole session, including everything resumed. */
  total_cost_usd: z.number().nullish(),
  modelUsage: z.record(z.string(), z.looseObject({ contextWindow: z.number().nullish() })).nullish(),
  permission_denials: z.array(z.looseObject({ tool_name: z.string().nullish() })).nullish(),
});
export type WireResult = z.infer<typeof result>;

const lineSchema = z.union([init, retry, rateLimit, streamEvent, assistant, user, result]);
export type WireLine = z.infer<typeof lineSchema>;

/** Returns null for an unknown line: another kind, another shape, or invalid JSON. */
export function readLine(line: string): WireLine | null {
  return lineSchema.safeParse(parseJson(line)).data ?? null;
}

/** Returns the kind, such as `system/status`, of a line that `readLine` does not know. */
export function kindOf(line: string): string | null {
  const parsed = kindSchema.safeParse(parseJson(line));
  return parsed.success ? [parsed.data.type, parsed.data.subtype].filter(Boolean).join('/') : null;
}

const kindSchema = z.looseObject({ type: z.string(), subtype: z.string().nullish() });

export function isToolResult(part: z.infer<typeof otherBlock>): part is WireToolResult {
  return toolResult.safeParse(part).success;
}

export function asBlock(part: z.infer<typeof otherBlock>): WireBlock | null {
  return block.safeParse(part).data ?? null;
}
