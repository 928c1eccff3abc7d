/** Why an agent could not be opened. */
import { CollabError } from '../../errors/collab-error.ts';
import type { TurnResult, UnavailableCode } from '../../providers/contract/contract.ts';

export type Refusal = Extract<TurnResult, { kind: 'unavailable' }>;

/** As a turn's result. @throws whatever is no refusal */
export function refusalOf(error: unknown): Refusal {
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

export function isRefusal(agent: object): agent is Refusal {
  return 'kind' in agent;
}
