/** Reads the data of the Responses API, whole and streamed. */
import { z } from 'zod';
import { typed, wireArguments, wireCount, wireList, wireNote, wireText } from '../api/wire.ts';

export const deltaSchema = z.object({ delta: z.string() });

export const itemDoneSchema = z.object({ item: typed });

export const messageSchema = z.object({
  content: wireList(
    z.union([
      z.object({ type: z.literal('output_text'), text: z.string() }),
      z.object({ type: z.literal('refusal'), refusal: z.string() }),
    ]),
  ),
});

export const callSchema = z.object({ call_id: wireText, name: z.string().min(1), arguments: wireArguments });

export const thoughtSchema = z.object({
  summary: wireList(z.object({ text: z.string() })),
  /** The seal, which many gateways do not have. */
  encrypted_content: wireText,
});

const usage = z.object({
  input_tokens: wireCount,
  input_tokens_details: z.object({ cached_tokens: wireCount }).nullish().catch(null),
  output_tokens: wireCount,
  output_tokens_details: z.object({ reasoning_tokens: wireCount }).nullish().catch(null),
});
export type ResponsesUsage = z.infer<typeof usage>;

export const responseSchema = z.object({
  status: wireText,
  error: z.object({ code: wireNote, message: wireText }).nullish().catch(null),
  incomplete_details: z.object({ reason: wireText }).nullish(),
  output: wireList(typed),
  model: wireNote,
  usage: usage.nullish().catch(null),
});
export type WireResponse = z.infer<typeof responseSchema>;

/** The last event of a stream. */
export const settledSchema = z.object({ response: responseSchema });

export const errorEventSchema = z.object({ code: wireNote, message: wireText });
