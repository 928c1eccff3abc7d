/** What must be known to choose the advisor, from the options of a review. */
import type { AdvisorQuestion } from './advisor-choice.ts';
import type { ReviewOptions } from './run-prepare.ts';

export type AdvisorOptions = Pick<
  ReviewOptions,
  'advisor' | 'configuredAdvisor' | 'allowStatic' | 'env' | 'cwd' | 'providerSettings' | 'signal'
>;

export function advisorQuestion(options: AdvisorOptions): AdvisorQuestion {
  return {
    advisor: options.advisor,
    configured: options.configuredAdvisor,
    allowStatic: options.allowStatic,
    continuousIntegration: isSet(options.env['CI']),
    environment: {
      env: options.env,
      cwd: options.cwd,
      settings: flattenProviderSettings(options.providerSettings),
      signal: options.signal,
    },
  };
}

/** `codex: { path: … }` as `codex.path`. */
export function flattenProviderSettings(settings: ReviewOptions['providerSettings']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([provider, own]) =>
      Object.entries(own).map(([key, value]) => [`${provider}.${key}`, value]),
    ),
  );
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
