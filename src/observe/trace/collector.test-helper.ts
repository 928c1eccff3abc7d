/** Reads OTLP/JSON as a collector does: by the protocol's own definitions, through its binary form and back. */
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { z } from 'zod';

const attributeSchema = z.strictObject({
  key: z.string(),
  value: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

const spanSchema = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attributeSchema),
});
export type CollectedSpan = z.infer<typeof spanSchema>;

const requestSchema = z.strictObject({
  resourceSpans: z.tuple([
    z.looseObject({ scopeSpans: z.tuple([z.looseObject({ spans: z.array(spanSchema) })]) }),
  ]),
});

/** The codec of one message. */
interface Protocol {
  fromObject(value: unknown): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

/** The package's own types leave out its names. */
const protocolSchema = z.object({
  opentelemetry: z.object({
    proto: z.object({
      collector: z.object({
        trace: z.object({
          v1: z.object({
            ExportTraceServiceRequest: z.custom<Protocol>((value) => typeof value === 'function'),
          }),
        }),
      }),
    }),
  }),
});
const { ExportTraceServiceRequest: protocol } =
  protocolSchema.parse(root).opentelemetry.proto.collector.trace.v1;

/** Returns the spans. @throws Error if the body has a field, a type or an id that the protocol does not have */
export function collect(body: unknown): readonly CollectedSpan[] {
  const sent = JSON.stringify(body);
  const bytes = protocol.encode(protocol.fromObject(JSON.parse(sent, idAsBytes))).finish();
  const received: unknown = protocol.toObject(protocol.decode(bytes), { longs: String, bytes: Array });
  const known = JSON.stringify(received, idAsText);
  if (canonical(known) !== canonical(sent)) throw new Error(`not of the protocol: ${sent}\nbecame ${known}`);
  return requestSchema.parse(JSON.parse(known)).resourceSpans[0].scopeSpans[0].spans;
}

const idNames = ['traceId', 'spanId', 'parentSpanId'];

/** Ids are hex in OTLP/JSON, and not base64 as in other JSON of protocol buffers. */
function idAsBytes(key: string, value: unknown): unknown {
  if (!idNames.includes(key) || typeof value !== 'string') return value;
  const length = key === 'traceId' ? 32 : 16;
  if (!new RegExp(`^[0-9a-f]{${length}}$`).test(value) || /^0+$/.test(value))
    throw new Error(`${key} ${value}`);
  return [...Buffer.from(value, 'hex')];
}

function idAsText(key: string, value: unknown): unknown {
  return idNames.includes(key) && Array.isArray(value) ? Buffer.from(value).toString('hex') : value;
}

function canonical(text: string): string {
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
}
