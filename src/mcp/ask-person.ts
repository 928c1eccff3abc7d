/** Asks the person at the host, by elicitation, what no agent may decide. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { digestOf } from '../text/digest.ts';
import { inShort } from '../text/in-short.ts';

const answerSchema = z.object({
  answer: z.string().min(1).describe('Your decision, in one of the words that the question names.'),
});

/** In characters. A form is not a place to read a patch. */
const longestQuestion = 4000;

/** `declined`: the form was closed. `unasked`: the host has to show it; then the call comes again. `no_forms`: it cannot. */
export type PersonsAnswer =
  | { readonly kind: 'made'; readonly words: string }
  | { readonly kind: 'declined' | 'unasked' | 'no_forms' };

/** A question of a run, as the form shows it. */
export interface GateForm {
  readonly run: string;
  readonly name: string;
  /** Without control characters. */
  readonly text: string;
  /** The place of the whole text, for one that is too long for a form. */
  readonly whole: string;
}

export function decisionIn(server: McpServer, context: ServerContext, gate: GateForm): PersonsAnswer {
  const { inputResponses } = context.mcpReq;
  const key = keyOf(gate);
  if (inputResponses?.[key] === undefined) {
    return { kind: hasForms(server, context) ? 'unasked' : 'no_forms' };
  }
  const words = acceptedContent(inputResponses, key, answerSchema)?.answer;
  return words === undefined ? { kind: 'declined' } : { kind: 'made', words };
}

export function askPerson(gate: GateForm): InputRequiredResult {
  const { text, whole } = gate;
  const more = text.length > longestQuestion ? `\n\nAll of it: ${whole}` : '';
  const message = `${inShort(text, longestQuestion)}${more}`;
  return inputRequired({
    inputRequests: { [keyOf(gate)]: inputRequired.elicit({ message, requestedSchema: answerSchema }) },
  });
}

/** An answer counts for the very question that the person saw. */
function keyOf({ run, name, text }: GateForm): string {
  return `gate-${digestOf([run, name, text]).slice(0, 16)}`;
}

/** The newer generation of the protocol sends them with each request. */
function hasForms(server: McpServer, { mcpReq }: ServerContext): boolean {
  const sent = envelopeSchema.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = sent ?? server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined;
}

const envelopeSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.unknown() }).optional(),
});
