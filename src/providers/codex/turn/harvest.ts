/** What became of a call whose record was lost, read from the conversation that Codex kept (DESIGN §5). */
import type { Harvest } from '../../contract/contract.ts';
import { classifyError } from './errors.ts';
import { finalAnswer } from './final-answer.ts';
import type { StoredTurn, ThreadResult } from './threads.ts';

/**
 * A finished turn is the answer, even an empty one: it was paid for. A conversation without a rollout, or whose last turn
 * belongs to an earlier call, was never sent this one.
 */
export function readHarvest(result: ThreadResult, callId: string): Harvest {
  if (!result.ok) return { kind: result.why === 'no_rollout' ? 'not_sent' : 'interrupted' };
  const last = result.thread.turns.at(-1);
  if (last === undefined || !belongsTo(last, callId)) return { kind: 'not_sent' };
  const text = finalAnswer(last.items.flatMap(asMessage)) ?? '';
  const whole = last.status === 'completed' || (text !== '' && isTruncated(last));
  return whole ? { kind: 'answered', text, usage: null } : { kind: 'interrupted' };
}

/** Each prompt carries its call's id, which the rollout keeps. */
function belongsTo({ items }: StoredTurn, callId: string): boolean {
  const clientId = items.find(({ type }) => type === 'userMessage')?.clientId ?? callId;
  return clientId === callId || clientId.startsWith(`${callId}/`);
}

function asMessage({ type, text, phase }: StoredTurn['items'][number]) {
  return type === 'agentMessage' && typeof text === 'string' ? [{ text, phase: phase ?? null }] : [];
}

function isTruncated({ status, error }: StoredTurn): boolean {
  if (status !== 'failed' || error === null || error === undefined) return false;
  return classifyError({ ...error, codexErrorInfo: null }).kind === 'truncated';
}
