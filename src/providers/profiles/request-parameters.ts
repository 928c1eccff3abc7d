/** Selects the request parameters to send to a model (R003-12, R003-13, X003-11). */
import { ValueError } from '../../errors/provider-error.ts';
import type { RequestOptions } from '../client/ai-client.ts';
import type { ModelParameters } from '../contract/model.ts';
import type { Profile } from './profile.ts';

export const defaultTemperature = 0.7;

/**
 * Refuses a parameter that the profile does not name if it was requested, and leaves it out if it is a default. Without a
 * profile, sends the requested ones.
 *
 * @throws ValueError
 */
export function requestParameters(
  {
    modelId,
    temperature,
    thinkingBudget,
    extra = {},
  }: Pick<RequestOptions, 'modelId' | 'temperature' | 'thinkingBudget' | 'extra'>,
  profile: Profile | null,
): ModelParameters {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw new ValueError(`temperature must be from 0.0 to 2.0, not ${temperature}`);
  }
  if (thinkingBudget !== undefined && !(Number.isInteger(thinkingBudget) && thinkingBudget >= 0)) {
    throw new ValueError(`thinking_budget must be a number of tokens, not ${thinkingBudget}`);
  }
  if (thinkingBudget !== undefined && profile?.features.supports_reasoning === false) {
    throw new ValueError(`${modelId} does not support thinking_budget`);
  }
  const supported = profile?.capabilities.supported_parameters;
  const asked = [
    ...(temperature === undefined ? [] : ['temperature']),
    ...(thinkingBudget === undefined ? [] : ['thinking_budget']),
    ...Object.keys(extra),
  ];
  const refused = asked.find((name) => supported?.includes(name) === false);
  if (refused !== undefined) {
    const measure = refused === 'thinking_budget' ? ': it does not measure its thinking in tokens' : '';
    throw new ValueError(`${modelId} does not support ${refused}${measure}`, {
      hint: `It supports ${supported?.join(', ') || 'none'}.`,
    });
  }
  // Claude refuses every temperature together with a thinking budget.
  const thinks = thinkingBudget !== undefined && thinkingBudget > 0;
  const usual = supported?.includes('temperature') === true && !thinks ? defaultTemperature : undefined;
  const sent = temperature ?? usual;
  return {
    ...(sent === undefined ? {} : { temperature: sent }),
    ...(thinkingBudget === undefined ? {} : { thinkingBudget }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
