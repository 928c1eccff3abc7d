/** Describes a call for the conditions of a script. */
import { exchangeSpecOf, type Phase, type RequestTag } from '../../tags/tags.ts';
import type { LeadTurnRequest, LeadWork, Role, TurnRequest } from '../contract/contract.ts';

export interface Situation {
  readonly role: Role;
  readonly phase: Phase;
  readonly round: number;
  readonly work: LeadWork['kind'] | null;
  readonly tag: RequestTag | null;
  readonly consult: number;
  readonly chunk: number;
  readonly attempt: number;
  readonly prompt: string;
}

export function advisorSituation(call: Pick<TurnRequest, 'request' | 'prompt' | 'callId'>): Situation {
  const { name, attempt } = readCallId(call.callId);
  const tag = call.request?.tag ?? null;
  return {
    role: 'advisor',
    phase: tag === null ? 'review' : exchangeSpecOf(tag).phase,
    round: numberIn(/^ex_[a-z]+-(\d+)-/, name),
    work: tag === null ? 'verify' : null,
    tag,
    consult: numberIn(/consult-(\d+)/, name),
    chunk: numberIn(/chunk-(\d+)/, name),
    attempt,
    prompt: call.prompt,
  };
}

export function leadSituation(call: Pick<LeadTurnRequest, 'work' | 'prompt' | 'callId'>): Situation {
  return {
    role: 'lead',
    phase: call.work.phase,
    round: call.work.round,
    work: call.work.kind,
    tag: null,
    consult: 1,
    chunk: 1,
    attempt: readCallId(call.callId).attempt,
    prompt: call.prompt,
  };
}

/** Reads a call id, `<exchange or work>/<its turn>/<attempt of the step>`, such as `ex_review-2-chunk-1/1/1`. */
function readCallId(callId: string): { readonly name: string; readonly attempt: number } {
  const parts = callId.split('/');
  return { name: parts.slice(0, -2).join('/'), attempt: Number(parts.at(-2) ?? 1) };
}

function numberIn(pattern: RegExp, name: string): number {
  return Number(pattern.exec(name)?.[1] ?? 1);
}
