/** A request for rules: the kinds and places of the masked parts of the change. A model gets only the masked change. */
import type { ConsultRequest } from '../../prompts/request.ts';
import type { RunInput } from '../folder/run-input.ts';
import type { ReadChange } from './read-change.ts';

export function withSecrets(
  request: ConsultRequest,
  { advisor, settings }: Pick<RunInput, 'advisor' | 'settings'>,
  change: Pick<ReadChange, 'secrets'> | null,
): ConsultRequest {
  if (advisor.assurance !== 'static' || request.change === null || change === null) return request;
  const { rules } = settings;
  return { ...request, secrets: change.secrets.reported, ...(rules === undefined ? {} : { rules }) };
}
