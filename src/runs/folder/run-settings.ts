/** Converts the settings of a configuration into the form that a run keeps. */
import type { Settings, TurnLimits } from '../../config/settings.ts';
import { turnLimits } from '../../config/waits.ts';
import { phases, type Phase } from '../../tags/tags.ts';
import type { ReviewSettings } from './run-input.ts';

/** `instructions` is the text of the file in the configuration; null if the configuration names none. */
export function toReviewSettings(settings: Settings, instructions: string | null): ReviewSettings {
  return {
    fail_on: settings.failOn,
    fail_on_empty: settings.failOnEmpty,
    ...(settings.rules === 'default' ? {} : { rules: settings.rules }),
    include: [...settings.include],
    exclude: [...settings.exclude],
    focus: settings.focus,
    instructions,
    language: settings.language,
    time_limit_ms: settings.timeLimitMs,
    budget_usd: settings.budgetUsd,
    budget_tokens: settings.budgetTokens,
    budget_calls: settings.budgetCalls,
    concurrency: settings.concurrency,
    cache: settings.cache,
    chunk_tokens: settings.chunkTokens,
    limits: kept(settings.limits),
    phase_limits: Object.fromEntries(
      phases.flatMap((phase) => {
        const own = settings.phaseLimits[phase];
        return own === undefined ? [] : [[phase, kept(own)]];
      }),
    ),
    waits_ms: [...settings.waitsMs],
    budgets: { ...settings.budgets },
  };
}

function kept({ firstSignMs, firstByteMs, idleMs, totalMs }: TurnLimits): ReviewSettings['limits'] {
  return { first_sign_ms: firstSignMs, first_byte_ms: firstByteMs, idle_ms: idleMs, total_ms: totalMs };
}

/** Returns the limits of a turn in a phase; `phase` null: the limits outside a phase. */
export function limitsIn(settings: LimitSettings, phase: Phase | null): TurnLimits {
  const own = phase === null ? undefined : settings.phase_limits?.[phase];
  const { first_sign_ms: firstSignMs, idle_ms: idleMs, total_ms: totalMs, ...rest } = own ?? settings.limits;
  return { firstSignMs, firstByteMs: rest.first_byte_ms ?? turnLimits.firstByteMs, idleMs, totalMs };
}

export type LimitSettings = Pick<ReviewSettings, 'limits' | 'phase_limits'>;
