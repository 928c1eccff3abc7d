/** Reads the data of Chat Completions, whole and streamed, as OpenAI and the servers that call themselves compatible send it. */
import { z } from 'zod';
import { wireArguments, wireCount, wireList, wireNote, wireText } from '../api/wire.ts';

/** A part of a content list: text, a refusal, Mistral's thoughts, which are a list themselves, or its references to sources. */
const contentPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('reference') }),
  z.object({
    type: z.literal('thinking'),
    thinking: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
  }),
]);

interface Said {
  readonly text: string;
  readonly thought: string;
  readonly refusal: string;
}

const content = z
  .union([z.string(), z.array(contentPart)])
  .nullish()
  .transform((said): Said => {
    const parts = typeof said === 'string' ? [{ type: 'text' as const, text: said }] : (said ?? []);
    return {
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      thought: parts.flatMap((part) => (part.type === 'thinking' ? [thoughtIn(part.thinking)] : [])).join(''),
      refusal: parts.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : [])).join(''),
    };
  });

function thoughtIn(thinking: string | readonly { readonly text: string }[]): string {
  return typeof thinking === 'string' ? thinking : thinking.map(({ text }) => text).join('');
}

const calledFunction = z.object({ name: wireText, arguments: wireArguments });

const call = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: wireText,
  type: z.enum(['function', '']).nullish(),
  function: calledFunction.nullish().transform((called) => called ?? { name: '', arguments: '' }),
});

/** A piece of a call; only its first piece must have a name. */
export type CallPiece = z.infer<typeof call>;

/** A message, or a piece of one. */
const message = z.object({
  content,
  refusal: wireText,
  // Thoughts are not part of OpenAI's own chunks; servers that send them use one of these two names.
  reasoning_content: wireText,
  reasoning: wireText,
  tool_calls: wireList(call),
  /** The form before `tool_calls`. */
  function_call: calledFunction.nullish(),
});

const usage = z.object({
  prompt_tokens: wireCount,
  prompt_tokens_details: z.object({ cached_tokens: wireCount }).nullish().catch(null),
  completion_tokens: wireCount,
  completion_tokens_details: z.object({ reasoning_tokens: wireCount }).nullish().catch(null),
});
export type ChatUsage = z.infer<typeof usage>;

const choice = z.object({
  delta: message.nullish(),
  message: message.nullish(),
  finish_reason: wireText,
});

export type Choice = z.infer<typeof choice>;

/** A chunk of a stream, or a whole completion. */
export const completionSchema = z.object({
  model: wireNote,
  choices: wireList(choice),
  usage: usage.nullish().catch(null),
  /** Groq's own record. */
  x_groq: z
    .object({ usage: usage.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** A fault in a stream, as vLLM and SGLang send it. */
export const faultSchema = z.object({
  object: z.literal('error'),
  message: wireText,
  /** A number repeats an HTTP status. */
  code: z.number().transform(String).or(wireNote),
});
export type ChatFault = z.infer<typeof faultSchema>;
