import { defaultSettings } from '../config/settings.ts';
import { systemClock } from '../system/clock.ts';
import type { ReviewOptions } from './review/prepare.ts';
import { toReviewSettings } from './folder/run-settings.ts';

/** A call of `collab review` without flags, but for what a test says. */
export function reviewOptions(
  given: Pick<ReviewOptions, 'cwd' | 'env' | 'change' | 'advisor'> & Partial<ReviewOptions>,
): ReviewOptions {
  return {
    settings: toReviewSettings(defaultSettings, null),
    configuredAdvisor: null,
    providerSettings: {},
    allowStatic: false,
    allowEmpty: false,
    reports: [],
    clock: systemClock,
    signal: new AbortController().signal,
    ...given,
  };
}
