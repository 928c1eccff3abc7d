/** The settings of a configuration as a run keeps them. */
import type { Settings } from '../config/settings.ts';
import type { ReviewSettings } from './run-input.ts';

/** `instructions` is the text of the file that the configuration names; null where it names none. */
export function toReviewSettings(settings: Settings, instructions: string | null): ReviewSettings {
  const { firstSignMs, idleMs, totalMs } = settings.limits;
  return {
    fail_on: settings.failOn,
    fail_on_empty: settings.failOnEmpty,
    include: [...settings.include],
    exclude: [...settings.exclude],
    focus: settings.focus,
    instructions,
    language: settings.language,
    time_limit_ms: settings.timeLimitMs,
    budget_usd: settings.budgetUsd,
    budget_tokens: settings.budgetTokens,
    concurrency: settings.concurrency,
    chunk_tokens: settings.chunkTokens,
    limits: { first_sign_ms: firstSignMs, idle_ms: idleMs, total_ms: totalMs },
    waits_ms: [...settings.waitsMs],
    budgets: { ...settings.budgets },
  };
}
