/** The settings that a run starts with, and the limits of its turns. */
import type { TurnLimits } from '../../config/settings.ts';
import type { Settings } from '../../config/settings-table.ts';
import { answerWaitMs, turnLimits } from '../../config/waits.ts';
import type { RepeatRules } from '../../providers/contract/repeat-policy.ts';
import type { Phase } from '../../tags/tags.ts';
import type { ReviewSettings } from './run-input.ts';

/** The texts of the files that settings name. */
export type NamedTexts = Pick<
  ReviewSettings,
  'instructions' | 'checklists' | 'dismissed' | 'suppressions' | 'repository' | 'only'
>;

/** All settings of a run that starts: those that it keeps, and those that only its start needs. */
export type StartSettings = Omit<Settings, keyof NamedTexts> & NamedTexts;

export function startSettings(settings: Settings, texts: NamedTexts = { instructions: null }): StartSettings {
  const { instructions: _instructions, suppressions: _suppressions, ...others } = settings;
  return { ...others, ...texts };
}

/** Returns the limits of a turn in a phase; `phase` null: the limits outside a phase. */
export function limitsIn(settings: LimitSettings, phase: Phase | null): TurnLimits {
  const own = phase === null ? undefined : settings.phase_limits?.[phase];
  const { first_sign_ms: firstSignMs, idle_ms: idleMs, total_ms: totalMs, ...rest } = own ?? settings.limits;
  return { firstSignMs, firstByteMs: rest.first_byte_ms ?? turnLimits.firstByteMs, idleMs, totalMs };
}

/** Returns the rules for repeats in an answer of a conversation. */
export function repeatsIn({
  budgets,
  waits_ms: waitsMs,
}: Pick<Settings, 'budgets' | 'waits_ms'>): RepeatRules {
  return { most: budgets.waiting, waitsMs, longestMs: answerWaitMs };
}

export type LimitSettings = Pick<Settings, 'limits'> & Partial<Pick<Settings, 'phase_limits'>>;
