/** The notifications of one turn, limited to the fields we read (codex app-server, 0.169; types from `generate-ts`). */
import { z } from 'zod';

const base = z.looseObject({ threadId: z.string() });
const text = z.string().nullish();
const args = z.json().nullish();
const durationMs = z.number().nullish();

export const errorSchema = z.looseObject({
  message: z.string(),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: text,
});
export type WireError = z.infer<typeof errorSchema>;

export const usageCountsSchema = z.looseObject({
  inputTokens: z.number(),
  cachedInputTokens: z.number().nullish(),
  cacheWriteInputTokens: z.number().nullish(),
  outputTokens: z.number(),
  reasoningOutputTokens: z.number().nullish(),
  totalTokens: z.number().nullish(),
});
export type UsageCounts = z.infer<typeof usageCountsSchema>;

const item = { id: z.string() };
const itemSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('agentMessage'), ...item, text: z.string(), phase: text }),
  z.looseObject({ type: z.literal('reasoning'), ...item, summary: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('userMessage'), ...item }),
  z.looseObject({
    type: z.literal('commandExecution'),
    ...item,
    command: z.string(),
    status: text,
    aggregatedOutput: text,
    exitCode: z.int().nullish(),
    durationMs,
  }),
  z.looseObject({
    type: z.literal('fileChange'),
    ...item,
    status: text,
    changes: z.array(
      z.looseObject({ path: z.string(), kind: z.looseObject({ type: z.string() }).nullish(), diff: text }),
    ),
  }),
  z.looseObject({
    type: z.literal('mcpToolCall'),
    ...item,
    server: z.string(),
    tool: z.string(),
    arguments: args,
    status: text,
    result: z.json().nullish(),
    error: z.looseObject({ message: z.string() }).nullish(),
    durationMs,
  }),
  z.looseObject({
    type: z.literal('dynamicToolCall'),
    ...item,
    tool: z.string(),
    arguments: args,
    status: text,
    contentItems: z.json().nullish(),
    success: z.boolean().nullish(),
    durationMs,
  }),
  z.looseObject({ type: z.literal('webSearch'), ...item, query: text }),
  z.looseObject({ type: z.literal('imageView'), ...item, path: text }),
]);
export type WireItem = z.infer<typeof itemSchema>;

const notificationSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('turn/started'), params: base }),
  z.object({
    method: z.literal('turn/completed'),
    params: base.extend({
      turn: z.looseObject({ id: z.string(), status: z.string(), error: errorSchema.nullish() }),
    }),
  }),
  z.object({ method: z.literal('item/started'), params: base.extend({ item: itemSchema }) }),
  z.object({ method: z.literal('item/completed'), params: base.extend({ item: itemSchema }) }),
  ...(
    [
      'item/agentMessage/delta',
      'item/reasoning/summaryTextDelta',
      'item/reasoning/textDelta',
      'item/commandExecution/outputDelta',
    ] as const
  ).map((method) =>
    z.object({
      method: z.literal(method),
      params: base.extend({ itemId: z.string(), delta: z.string() }),
    }),
  ),
  z.object({
    method: z.literal('turn/plan/updated'),
    params: base.extend({ plan: z.array(z.looseObject({ step: z.string(), status: z.string() })) }),
  }),
  z.object({
    method: z.literal('thread/tokenUsage/updated'),
    params: base.extend({
      turnId: text,
      tokenUsage: z.looseObject({ last: usageCountsSchema, modelContextWindow: z.number().nullish() }),
    }),
  }),
  z.object({
    method: z.literal('error'),
    params: base.extend({ error: errorSchema, willRetry: z.boolean().nullish() }),
  }),
]);
export type WireNotification = z.infer<typeof notificationSchema>;

/** Returns null for a notification that we do not read, or whose form is unknown. */
export function readNotification(method: string, params: unknown): WireNotification | null {
  return notificationSchema.safeParse({ method, params }).data ?? null;
}
