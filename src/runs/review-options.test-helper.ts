import { defaultSettings } from '../config/settings-table.ts';
import { systemClock } from '../system/clock.ts';
import type { ReviewOptions } from './review/prepare.ts';
import { startSettings, type StartSettings } from './folder/run-settings.ts';

type GivenOptions = Pick<ReviewOptions, 'cwd' | 'env' | 'change'> &
  Partial<Omit<ReviewOptions, 'settings'>> & {
    readonly settings: Pick<StartSettings, 'advisor'> & Partial<StartSettings>;
  };

/** A call of `collab review` without flags, except those of the test. */
export function reviewOptions({ settings, ...given }: GivenOptions): ReviewOptions {
  return {
    settings: { ...startSettings(defaultSettings), ...settings },
    configuredAdvisor: null,
    providerSettings: {},
    reports: [],
    clock: systemClock,
    signal: new AbortController().signal,
    ...given,
  };
}
