/** Limits that may be lowered but not raised: those of a repository's file, and those of a request by a tenant. */
import { may } from '../access/permissions.ts';
import type { Speaker } from '../access/speaker.ts';
import { compareEffort, isEffort } from '../tags/effort.ts';
import { phases } from '../tags/tags.ts';
import {
  settingKey,
  settingNames,
  settingRow,
  settingsFrom,
  type SettingName,
  type Settings,
} from './settings-table.ts';
import { reviewTimeLimitMs } from './waits.ts';

export interface LoweredSettings {
  readonly settings: Settings;
  /** Settings whose value was higher than the owner's and was ignored. */
  readonly raised: readonly SettingName[];
}

export function lowerLimits(speaker: Speaker, own: Settings, wanted: Settings): LoweredSettings {
  if (may(speaker, { does: 'raise a limit' }).allowed) return { settings: wanted, raised: [] };
  const lowest = new Map<SettingName, Lowered>();
  for (const name of settingNames) {
    const after = wanted[settingKey(name)];
    if (settingRow(name).deed !== 'lower a limit' || after === own[settingKey(name)]) continue;
    lowest.set(name, lower(boundOf(name, own), after));
  }
  const settings = settingsFrom((name) => {
    const lowered = lowest.get(name);
    if (lowered === undefined) return wanted[settingKey(name)];
    // A default bound stays a default.
    return lowered.isHigher && own[settingKey(name)] === null ? null : lowered.value;
  });
  return { settings, raised: settingNames.filter((name) => lowest.get(name)?.isHigher === true) };
}

/** Returns the highest value that a stranger may set. */
function boundOf(name: SettingName, own: Settings): unknown {
  switch (name) {
    case 'time_limit':
      // The owner's default depends on the size of the review; the shortest one is the bound.
      return own.time_limit_ms ?? reviewTimeLimitMs(1);
    case 'phase_limits':
      return Object.fromEntries(phases.map((phase) => [phase, own.phase_limits[phase] ?? own.limits]));
    default:
      return own[settingKey(name)];
  }
}

interface Lowered {
  readonly value: unknown;
  readonly isHigher: boolean;
}

/** Lowers a limit; null means no limit. A longer list is compared with the last of the shorter one's limits. */
function lower(before: unknown, after: unknown): Lowered {
  if (Array.isArray(after)) {
    const own: readonly unknown[] = Array.isArray(before) ? before : [];
    const each = after.map((one: unknown, index) => lower(own[index] ?? own.at(-1) ?? 0, one));
    return { value: each.map(({ value }) => value), isHigher: each.some(({ isHigher }) => isHigher) };
  }
  if (isRecord(after)) {
    const own = isRecord(before) ? before : {};
    const each = Object.entries(after).map(([key, one]) => [key, lower(own[key], one)] as const);
    return {
      value: Object.fromEntries(each.map(([key, { value }]) => [key, value])),
      isHigher: each.some(([, { isHigher }]) => isHigher),
    };
  }
  const isHigher = isAbove(after, before);
  return { value: isHigher ? before : after, isHigher };
}

function isAbove(after: unknown, before: unknown): boolean {
  if (isEffort(before)) return isEffort(after) && compareEffort(after, before) > 0;
  return typeof before === 'number' && (after === null || (typeof after === 'number' && after > before));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
