/** Derives what the choice of the advisor depends on from the options of a review. */
import type { AdvisorQuestion } from './advisor-choice.ts';
import type { ReviewOptions } from '../review/prepare.ts';

export type AdvisorOptions = Pick<
  ReviewOptions,
  'settings' | 'configuredAdvisor' | 'env' | 'cwd' | 'providerSettings' | 'signal'
>;

export function advisorQuestion(options: AdvisorOptions): AdvisorQuestion {
  return {
    advisor: options.settings.advisor,
    configured: options.configuredAdvisor,
    allowStatic: options.settings.allow_static,
    continuousIntegration: isContinuousIntegration(options.env),
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

/** Returns true if `CI` is set to anything but a "no", as on most runners. */
export function isContinuousIntegration({ CI: value }: ReviewOptions['env']): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
