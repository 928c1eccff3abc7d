/** The reason why an agent could not be opened. */
import { CollabError } from '../../errors/collab-error.ts';
import type { TurnResult } from '../../providers/contract/contract.ts';

export type AgentUnavailable = Extract<TurnResult, { kind: 'unavailable' }>;

/** Returns a refusal as a turn's result. @throws the error itself if it is not a `CollabError` */
export function unavailableBecause(error: unknown): AgentUnavailable {
  if (!(error instanceof CollabError)) throw error;
  const { code, message, hint } = error;
  const isKnown = code === 'cli_missing' || code === 'auth' || code === 'model';
  return { kind: 'unavailable', code: isKnown ? code : 'options', message, hint: hint ?? '' };
}

export function isUnavailable(agent: object): agent is AgentUnavailable {
  return 'kind' in agent;
}
