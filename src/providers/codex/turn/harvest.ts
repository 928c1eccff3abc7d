/** Finds out from Codex's stored conversation how a call ended whose record was lost. */
import type { Harvest } from '../../contract/contract.ts';
import { classifyError } from './errors.ts';
import { finalAnswer } from './final-answer.ts';
import type { StoredTurn, ThreadResult } from './threads.ts';

/**
 * Reads the outcome of a call. A finished turn is the answer, even if it is empty: it was paid for. A conversation without a
 * rollout, whose last turn belongs to an earlier call, or was stopped before its message was stored, never received this
 * one.
 */
export function readHarvest(result: ThreadResult, callId: string): Harvest {
  if (!result.ok) return { kind: result.why === 'no_rollout' ? 'not_sent' : 'interrupted' };
  const last = result.thread.turns.at(-1);
  if (last === undefined || !belongsTo(last, callId)) return { kind: 'not_sent' };
  const text = finalAnswer(last.items.flatMap(asMessage)) ?? '';
  if (last.status === 'completed') return { kind: 'answered', text, usage: null };
  return text !== '' && isTruncated(last)
    ? { kind: 'answered', text, usage: null, stopReason: 'max_output_tokens' }
    : { kind: 'interrupted' };
}

/** Each prompt contains its call's id, which the rollout stores. */
function belongsTo({ items, status }: StoredTurn, callId: string): boolean {
  const message = items.find(({ type }) => type === 'userMessage');
  if (message === undefined) return status === 'completed' || items.length > 0;
  const clientId = message.clientId ?? callId;
  return clientId === callId || clientId.startsWith(`${callId}/`);
}

function asMessage({ type, text, phase }: StoredTurn['items'][number]) {
  return type === 'agentMessage' && typeof text === 'string' ? [{ text, phase: phase ?? null }] : [];
}

function isTruncated({ status, error }: StoredTurn): boolean {
  if (status !== 'failed' || error === null || error === undefined) return false;
  return classifyError({ ...error, codexErrorInfo: null }).kind === 'truncated';
}
