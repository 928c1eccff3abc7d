/** Reads the events of specification 003 from third-party code; a missing field gets its usual value (X003-3). */
import { z } from 'zod';
import type { ProviderEvent } from './provider-event.ts';

const record = z.record(z.string(), z.unknown());
const uiInfo = z.object({ has_ui: z.boolean(), html_file: z.string().optional() });
const callId = { tool_call_id: z.string().optional() };
const tokens = z.int().nonnegative();

const usage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens.optional(),
  cache_write_5m_tokens: tokens.optional(),
  cache_write_1h_tokens: tokens.optional(),
  reasoning_tokens: tokens.optional(),
});

const execution = z.object({
  function_name: z.string(),
  tool_name: z.string(),
  args: record,
  result: z.unknown(),
  has_ui: z.boolean().default(false),
  ui_info: uiInfo.nullable().default(null),
  ...callId,
});

function event<const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}

const providerEventSchema = z.discriminatedUnion('type', [
  event('text_chunk', { text: z.string(), is_follow_up: z.boolean().default(false) }),
  event('thinking_chunk', { text: z.string() }),
  event('function_call_start', {
    function_name: z.string(),
    tool_name: z.string(),
    args: record,
    ui_info: uiInfo.optional(),
    ...callId,
  }),
  event('tool_progress', { tool: z.string(), message: z.string(), ...callId }),
  event('function_execution_start', { count: z.int().nonnegative() }),
  event('function_execution_complete', { execution }),
  event('sending_function_response', {}),
  event('complete', {
    text: z.string(),
    usage: usage.optional(),
    model: z.string().optional(),
    stop_reason: z.string().optional(),
    opaque: z.array(z.unknown()).optional(),
  }),
  event('aborted', { text: z.string(), reason: z.string().default('user_abort') }),
  event('error', {
    error: z.string(),
    code: z.string().optional(),
    status: z.int().optional(),
    retry_after: z.number().nonnegative().optional(),
    retryable: z.boolean().optional(),
  }),
]);

/** Returns null for anything other than the ten events. */
export function readProviderEvent(value: unknown): ProviderEvent | null {
  return providerEventSchema.safeParse(value).data ?? null;
}
