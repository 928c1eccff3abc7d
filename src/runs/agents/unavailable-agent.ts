/** The reason why an agent could not be opened. */
import { CollabError } from '../../errors/collab-error.ts';
import type { TurnResult, UnavailableCode } from '../../providers/contract/contract.ts';

export type AgentUnavailable = Extract<TurnResult, { kind: 'unavailable' }>;

/** Returns a refusal as a turn's result. @throws the error itself if it is not a `CollabError` */
export function unavailableBecause(error: unknown): AgentUnavailable {
  if (!(error instanceof CollabError)) throw error;
  return { kind: 'unavailable', code: refusalCode(error), message: error.message, hint: error.hint ?? '' };
}

function refusalCode(error: CollabError): UnavailableCode {
  switch (error.code) {
    case 'cli_missing':
    case 'auth':
    case 'model':
      return error.code;
    default:
      return 'options';
  }
}

export function isUnavailable(agent: object): agent is AgentUnavailable {
  return 'kind' in agent;
}
