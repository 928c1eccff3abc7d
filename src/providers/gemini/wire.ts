/** Reads the chunks of the Gemini API, and its whole answers, which have the same form. */
import { z } from 'zod';
import { wireCount, wireList, wireNote, wireText } from '../api/wire.ts';

const filledObject = z
  .looseObject({})
  .refine((data) => Object.keys(data).length > 0, { error: 'an empty object' });

/** Checks an object; the SDK returns an empty one for data that it cannot read. */
function readObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return filledObject.pipe(z.object(shape));
}

export const partSchema = readObject({
  text: wireText,
  thought: z.boolean().nullish(),
  thoughtSignature: wireText,
  functionCall: z
    .object({ id: wireNote, name: z.string().min(1), args: z.record(z.string(), z.json()).nullish() })
    .nullish(),
});
export type WirePart = z.infer<typeof partSchema>;

const usage = z.object({
  promptTokenCount: wireCount,
  toolUsePromptTokenCount: wireCount,
  candidatesTokenCount: wireCount,
  thoughtsTokenCount: wireCount,
  cachedContentTokenCount: wireCount,
});
export type ChunkUsage = z.infer<typeof usage>;

export const chunkSchema = z.object({
  candidates: wireList(
    readObject({
      content: readObject({ parts: wireList(partSchema) }).nullish(),
      finishReason: wireText,
    }),
  ),
  promptFeedback: z.object({ blockReason: wireText }).nullish(),
  usageMetadata: usage.nullish().catch(null),
  modelVersion: wireNote,
});
