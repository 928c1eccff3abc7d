/** Checks the segments of an answer: each has exactly the fields of its type (X004-5). */
import { z } from 'zod';
import { AgentPainException, type ContentSegment } from '../../tools/definition/interfaces.ts';

const media = { data: z.string().min(1), mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+/) };
const toolCall = z.object({ id: z.string().min(1).optional(), name: z.string().min(1), args: z.json() });

const segmentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), ...media }),
  z.strictObject({ type: z.literal('audio'), ...media }),
  z.strictObject({ type: z.literal('video'), ...media }),
  z.strictObject({ type: z.literal('ui'), ui: z.json() }),
  z.strictObject({ type: z.literal('tool_call'), toolCall }),
]);
export type Segment = z.infer<typeof segmentSchema>;

/** @throws AgentPainException for a segment with a field too many or too few, which is a fault of our own provider */
export function ownSegments(segments: readonly ContentSegment[]): readonly Segment[] {
  return segments.map((segment) => {
    const read = segmentSchema.safeParse(segment);
    if (read.success) return read.data;
    throw new AgentPainException(`a segment is malformed: ${z.prettifyError(read.error)}`, { raw: segment });
  });
}

/** Reads the segments of a third-party provider; drops invalid ones with a warning. */
export function foreignSegments(segments: unknown, warn: (warning: string) => void): readonly Segment[] {
  if (!Array.isArray(segments)) {
    warn('the answer has no list of segments');
    return [];
  }
  return segments.flatMap((segment: unknown, index) =>
    foreignSegment(segment, (why) => warn(`segment ${index + 1}: ${why}`)),
  );
}

function foreignSegment(segment: unknown, warn: (warning: string) => void): readonly Segment[] {
  const read = segmentSchema.safeParse(segment);
  if (read.success) return [read.data];
  const extra = read.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const rest = segmentSchema.safeParse(without(segment, extra));
  if (!rest.success) {
    warn(`dropped: ${z.prettifyError(rest.error).replaceAll('\n', ' ')}`);
    return [];
  }
  warn(`dropped its field ${extra.join(', ')}`);
  return [rest.data];
}

function without(segment: unknown, keys: readonly string[]): unknown {
  if (typeof segment !== 'object' || segment === null) return segment;
  return Object.fromEntries(Object.entries(segment).filter(([key]) => !keys.includes(key)));
}
