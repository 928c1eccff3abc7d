/** Reads the data of the Messages API, whole and streamed. */
import { z } from 'zod';
import { typed, wireCount, wireNote, wireText } from '../api/wire.ts';

const usage = z.object({
  input_tokens: wireCount,
  output_tokens: wireCount,
  cache_read_input_tokens: wireCount,
  cache_creation_input_tokens: wireCount,
  cache_creation: z
    .object({ ephemeral_5m_input_tokens: wireCount, ephemeral_1h_input_tokens: wireCount })
    .nullish()
    .catch(null),
  output_tokens_details: z.object({ thinking_tokens: wireCount }).nullish().catch(null),
});
export type MessageUsage = Partial<z.infer<typeof usage>>;

const wireUsage = usage.nullish().catch(null);

export const messageSchema = z.object({
  content: z.array(typed),
  model: wireNote,
  stop_reason: wireText,
  usage: wireUsage,
});

export const messageStartSchema = z.object({
  message: z.object({ model: wireNote, usage: wireUsage }).nullish(),
});

const index = z.number().int().nonnegative();
export const blockStartSchema = z.object({ index, content_block: typed });
export const blockDeltaSchema = z.object({ index, delta: typed });
export const blockStopSchema = z.object({ index });

export const messageDeltaSchema = z.object({
  delta: z.object({ stop_reason: wireText }).nullish(),
  usage: wireUsage,
});

/** The blocks of a message, by their type. Tools that run at the API have other types; none is ever requested. */
export const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: wireText }),
  z.object({ type: z.literal('thinking'), thinking: wireText, signature: wireText }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    // Text if it is not JSON, as after a token limit; the loop reports it to the model.
    input: z.union([z.record(z.string(), z.json()), z.string()]).nullish(),
  }),
]);
export type MessageBlock = z.infer<typeof blockSchema>;
export const blockTypes = new Set<string>(['text', 'thinking', 'redacted_thinking', 'tool_use']);

/** The field of its block that a delta extends, and the text that it adds, by the type of the delta. */
export const deltaTypes: Readonly<
  Record<
    string,
    { readonly field: 'text' | 'thinking' | 'signature' | 'input'; readonly added: z.ZodType<string> }
  >
> = {
  text_delta: { field: 'text', added: z.object({ text: z.string() }).transform(({ text }) => text) },
  thinking_delta: {
    field: 'thinking',
    added: z.object({ thinking: z.string() }).transform(({ thinking }) => thinking),
  },
  signature_delta: {
    field: 'signature',
    added: z.object({ signature: z.string() }).transform(({ signature }) => signature),
  },
  input_json_delta: {
    field: 'input',
    added: z.object({ partial_json: z.string() }).transform(({ partial_json }) => partial_json),
  },
};
