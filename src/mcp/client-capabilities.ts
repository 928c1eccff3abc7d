import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Reads what the host of a request can do. Returns null in the 2025 generation, whose host says it once, at its start. */
export function clientCapabilities({ mcpReq }: ServerContext): ClientCapabilitiesSent | null {
  return envelopeSchema.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? null;
}

const capabilitiesSchema = z.looseObject({
  elicitation: z.unknown().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
export type ClientCapabilitiesSent = z.infer<typeof capabilitiesSchema>;

const envelopeSchema = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: capabilitiesSchema.optional() });
