/** Asks the person at the editor what only a person decides, as a request for permission. */
import type { AgentContext, PermissionOption } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { inShort } from '../../text/in-short.ts';
import { textContent } from './run-updates.ts';

export interface PersonAsked {
  readonly client: Pick<AgentContext, 'request'>;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export interface PermissionWanted {
  readonly toolCallId: string;
  readonly title: string;
  readonly text: string;
  readonly kind: 'edit' | 'execute' | 'other';
  readonly options: readonly PermissionOption[];
}

/** Characters: a dialog is not a place to read a whole patch. */
const longestText = 16_000;

const outcomeSchema = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('selected'), optionId: z.string() }),
    z.object({ outcome: z.literal('cancelled') }),
  ]),
});

/** Returns the id of the chosen option; null if the person chose none, or the editor cannot ask. */
export async function askPermission(
  { client, sessionId, signal }: PersonAsked,
  { toolCallId, title, text, kind, options }: PermissionWanted,
): Promise<string | null> {
  if (signal.aborted) return null;
  const params = {
    sessionId,
    toolCall: {
      toolCallId,
      title,
      kind,
      status: 'pending' as const,
      content: textContent(inShort(text, longestText)),
    },
    options: [...options],
  };
  const answer: unknown = await client
    .request('session/request_permission', params, { cancellationSignal: signal, stopWaitingOnCancel: true })
    .catch(() => null);
  const { outcome } = outcomeSchema.safeParse(answer).data ?? {};
  if (signal.aborted || outcome?.outcome !== 'selected') return null;
  return options.some(({ optionId }) => optionId === outcome.optionId) ? outcome.optionId : null;
}

export const startOptions: readonly PermissionOption[] = [
  { optionId: 'start', name: 'Start', kind: 'allow_once' },
  { optionId: 'leave', name: 'Do not start', kind: 'reject_once' },
];

export const applyOptions: readonly PermissionOption[] = [
  { optionId: 'apply', name: 'Apply to your files', kind: 'allow_once' },
  { optionId: 'leave', name: 'Leave your files as they are', kind: 'reject_once' },
];

export const approvalOptions: readonly PermissionOption[] = [
  { optionId: 'approve', name: 'Approve', kind: 'allow_once' },
  { optionId: 'revise', name: 'Say what to change', kind: 'reject_once' },
  { optionId: 'stop', name: 'Stop the run', kind: 'reject_once' },
];
