/** Limits in a repository file: they may lower the owner's limits but not raise them. */
import { may } from '../access/may.ts';
import type { Speaker } from '../access/speaker.ts';
import { phases } from '../tags/tags.ts';
import type { Budgets, Settings, TurnLimits } from './settings.ts';
import { reviewTimeLimitMs } from './waits.ts';

export interface LoweredSettings {
  readonly settings: Settings;
  /** Keys whose value was higher than the owner's and was ignored. */
  readonly raised: readonly string[];
}

export function lowerLimits(speaker: Speaker, own: Settings, wanted: Settings): LoweredSettings {
  if (may(speaker, { does: 'raise a limit' }).allowed) return { settings: wanted, raised: [] };
  const raised = new Set<string>();

  /** Returns the lower limit; null means no limit. */
  function lower<Limit extends number | null>(key: string, before: Limit, after: Limit): Limit {
    const isHigher = before !== null && (after === null || after > before);
    if (isHigher) raised.add(key);
    return isHigher ? before : after;
  }

  /** The owner's default depends on the size of the review; the shortest one is the bound. */
  function timeLimit(before: number | null, after: number | null): number | null {
    if (before !== null || after === null) return lower('time_limit', before, after);
    const isHigher = lower('time_limit', reviewTimeLimitMs(1), after) !== after;
    return isHigher ? null : after;
  }

  function limits(key: string, before: TurnLimits, after: TurnLimits): TurnLimits {
    return {
      firstSignMs: lower(key, before.firstSignMs, after.firstSignMs),
      firstByteMs: lower(key, before.firstByteMs, after.firstByteMs),
      idleMs: lower(key, before.idleMs, after.idleMs),
      totalMs: lower(key, before.totalMs, after.totalMs),
    };
  }

  function budgets(before: Budgets, after: Budgets): Budgets {
    const least = (rung: keyof Budgets): number => lower('budgets', before[rung], after[rung]);
    return {
      repairing: least('repairing'),
      completing: least('completing'),
      recontextualising: least('recontextualising'),
      shortening: least('shortening'),
      waiting: least('waiting'),
      answering: least('answering'),
      attempts: least('attempts'),
    };
  }

  const phaseLimits = phases.flatMap((phase) => {
    const after = wanted.phaseLimits[phase];
    if (after === undefined) return [];
    return [[phase, limits('phase_limits', own.phaseLimits[phase] ?? own.limits, after)] as const];
  });
  const settings = {
    ...wanted,
    timeLimitMs: timeLimit(own.timeLimitMs, wanted.timeLimitMs),
    budgetUsd: lower('budget_usd', own.budgetUsd, wanted.budgetUsd),
    budgetTokens: lower('budget_tokens', own.budgetTokens, wanted.budgetTokens),
    budgetCalls: lower('budget_calls', own.budgetCalls, wanted.budgetCalls),
    concurrency: lower('concurrency', own.concurrency, wanted.concurrency),
    streamLimitSeconds: lower('stream_limit_seconds', own.streamLimitSeconds, wanted.streamLimitSeconds),
    waitsMs: wanted.waitsMs.map((ms, index) =>
      lower('waits', own.waitsMs[index] ?? own.waitsMs.at(-1) ?? 0, ms),
    ),
    limits: limits('limits', own.limits, wanted.limits),
    phaseLimits: Object.fromEntries(phaseLimits),
    budgets: budgets(own.budgets, wanted.budgets),
  };
  return { settings, raised: [...raised] };
}
