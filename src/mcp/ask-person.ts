/** Asks the person at the host, by elicitation, what no agent may decide. */
import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import { digestOf } from '../text/digest.ts';
import { inShort } from '../text/in-short.ts';
import { printable } from '../views/reports/foreign-text.ts';
import type { CallerRuns } from './caller-runs.ts';
import { clientCapabilities } from './client-capabilities.ts';

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

export function gateOfRun(
  { byHand }: CallerRuns,
  { runId }: OpenedRun,
  { name, text }: Pick<GateForm, 'name' | 'text'>,
): GateForm {
  return { run: runId, name, text: printable(text).trimEnd(), whole: byHand.show(runId) };
}

export function decisionIn(server: McpServer, context: ServerContext, gate: GateForm): PersonsAnswer {
  const { inputResponses } = context.mcpReq;
  if (inputResponses?.[keyOf(gate)] === undefined) {
    return { kind: hasForms(context, server) ? 'unasked' : 'no_forms' };
  }
  const words = wordsIn(gate, inputResponses);
  return words === null ? { kind: 'declined' } : { kind: 'made', words };
}

/** Returns what the person wrote; null if the form was not shown or not sent. */
export function wordsIn(gate: GateForm, responses: Readonly<Record<string, unknown>>): string | null {
  const key = keyOf(gate);
  const response = responseSchema.safeParse(responses[key]).data;
  if (response === undefined) return null;
  return acceptedContent({ [key]: response }, key, answerSchema)?.answer ?? null;
}

const responseSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

export function askPerson(gate: GateForm): InputRequiredResult {
  const { key, request } = formOf(gate);
  return inputRequired({ inputRequests: { [key]: request } });
}

export function formOf(gate: GateForm) {
  const { text, whole } = gate;
  const more = text.length > longestQuestion ? `\n\nAll of it: ${whole}` : '';
  const message = `${inShort(text, longestQuestion)}${more}`;
  return { key: keyOf(gate), request: inputRequired.elicit({ message, requestedSchema: answerSchema }) };
}

/** An answer counts for the very question that the person saw. */
function keyOf({ run, name, text }: GateForm): string {
  return `gate-${digestOf([run, name, text]).slice(0, 16)}`;
}

/** The newer generation of the protocol says it with each request, the older one when it connects to `server`. */
export function hasForms(context: ServerContext, server?: McpServer): boolean {
  const { elicitation } = clientCapabilities(context) ?? server?.server.getClientCapabilities() ?? {};
  return elicitation !== undefined;
}
