/**
 * The settings of a repository that can hide a finding: globs, suppressions, the rules and the severity at which a review
 * fails. They count as they were before the change, so that no change excuses itself.
 */
import { resolve } from 'node:path';
import { filesOnDisk, noFiles } from '../../config/file-source.ts';
import { configFileName, loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { loadSuppressions, type LoadedSuppressions } from '../../config/load-suppressions.ts';
import type { Settings } from '../../config/settings-table.ts';
import { CollabError, isRefusal } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { isGitRequest } from '../../git/change/compare-states.ts';
import type { Globs } from '../../review/census/selection.ts';
import { severities } from '../../tags/severities.ts';
import { isOfChange, ofTitle, onDisk, openOldSide } from './origin.ts';
import type { Origin, ReadFrom, ReadPlace } from './origin.ts';
import type { ReviewStart } from './start-request.ts';

export interface Excuses {
  /** Those of the configuration file itself. */
  readonly globs: Globs;
  readonly fail_on: Settings['fail_on'];
  readonly rules: Settings['rules'];
  /** The entries and their file; null if no file is named. */
  readonly suppressions: ReadFrom<LoadedSuppressions | null> | null;
  /** For the first lines. */
  readonly notes: readonly string[];
}

export interface ExcusesOptions {
  readonly flags: Pick<ReviewStart, 'config' | 'suppressions'>;
  /** The change under review; null if the run reviews no given change. */
  readonly change: ChangeRequest | null;
  readonly loaded: LoadedConfig;
  /** The files from which the settings come. */
  readonly origin: Origin;
}

/** With `--config`, they are the owner's. @throws CollabError `config`, `range`, `input` */
export async function readExcuses(place: ReadPlace, options: ExcusesOptions): Promise<Excuses> {
  const { flags, change, loaded, origin } = options;
  if (flags.config !== undefined || change === null || origin.source !== filesOnDisk) {
    const suppressions = await namedSuppressions(place, options);
    return { ...excusesIn(loaded, suppressions), notes: suppressionsNote(suppressions) };
  }
  const before = await openOldSide(place, change);
  try {
    return await excusesBefore(place, { ...options, change }, before);
  } finally {
    await before.close();
  }
}

interface ChangeOptions extends ExcusesOptions {
  readonly change: ChangeRequest;
}

async function excusesBefore(place: ReadPlace, options: ChangeOptions, before: Origin): Promise<Excuses> {
  const written = await excusesOn(place, options);
  const load = ({ source }: Pick<Origin, 'source'>) =>
    loadConfig({ cwd: place.cwd, env: place.env, source, only: excusing });
  const { value: loaded, fault } = await attempt(load(before));
  if (loaded === null) {
    const owners = await excusesOn(place, { ...options, loaded: await load({ source: noFiles }) });
    const note = `before the change, ${fault}: nothing is excluded or suppressed, and fail_on and rules are not lowered`;
    const fail_on = stricter(owners.fail_on, written.fail_on);
    const rules = wider(owners.rules, written.rules);
    return { ...owners, fail_on, rules, notes: [note, ...suppressionsNote(owners.suppressions)] };
  }
  const old = await excusesOn(place, { ...options, loaded, origin: before });
  const counting = isGitRequest(options.change) ? old : inBoth(old, written);
  const notes = [
    ...counting.notes,
    ...differences(counting, written),
    ...suppressionsNote(counting.suppressions),
  ];
  return { ...counting, notes };
}

const excusing = ['include', 'exclude', 'suppressions', 'fail_on', 'rules'] as const;

/** One side of the change. A suppression file of the repository that cannot be read suppresses nothing. */
async function excusesOn(place: ReadPlace, options: ExcusesOptions): Promise<Excuses> {
  const { flags, loaded, origin } = options;
  const named = loaded.keys.includes('suppressions') ? loaded.config.suppressions : null;
  if (flags.suppressions !== undefined || named === null) {
    const ofOwner = await namedSuppressions(place, { ...options, origin: { ...origin, ...onDisk } });
    return { ...excusesIn(loaded, ofOwner), notes: [] };
  }
  const { top, source } = origin;
  const { value, fault } = await attempt(loadSuppressions({ named, top, source, mayBeMissing: true }));
  if (fault === null) return { ...excusesIn(loaded, { taken: value, from: origin }), notes: [] };
  return { ...excusesIn(loaded, null), notes: [`${fault}: nothing is suppressed`] };
}

type Attempt<Value> =
  | { readonly value: Value; readonly fault: null }
  | { readonly value: null; readonly fault: string };

/** Returns the message of a refusal, as of a file with a wrong key. */
async function attempt<Value>(work: Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await work, fault: null };
  } catch (error) {
    if (error instanceof CollabError && isRefusal(error.code)) return { value: null, fault: error.message };
    throw error;
  }
}

function excusesIn(
  { config, globs }: LoadedConfig,
  suppressions: Excuses['suppressions'],
): Omit<Excuses, 'notes'> {
  return { globs: globs.ofFile, fail_on: config.fail_on, rules: config.rules, suppressions };
}

/** Returns null if no file is named. */
async function namedSuppressions(
  { cwd }: ReadPlace,
  { flags, loaded, origin }: ExcusesOptions,
): Promise<Excuses['suppressions']> {
  const named =
    flags.suppressions === undefined ? loaded.config.suppressions : resolve(cwd, flags.suppressions);
  if (named === null) return null;
  const mayBeMissing = isOfChange(named, origin);
  const from = mayBeMissing ? origin : onDisk;
  const { top } = origin;
  return { taken: await loadSuppressions({ named, top, source: from.source, mayBeMissing }), from };
}

/** The old side of a diff is only its author's word, so what it excuses has to be in the checkout, too. */
function inBoth(old: Excuses, written: Excuses): Excuses {
  const { include, exclude } = written.globs;
  const narrows = include.length > 0 && old.globs.include.length > 0;
  return {
    globs: {
      include: narrows ? [...new Set([...old.globs.include, ...include])] : [],
      exclude: old.globs.exclude.filter((glob) => exclude.includes(glob)),
    },
    fail_on: stricter(old.fail_on, written.fail_on),
    rules: wider(old.rules, written.rules),
    suppressions: suppressedInBoth(old.suppressions, written.suppressions),
    notes: [...new Set([...old.notes, ...written.notes])],
  };
}

function suppressedInBoth(
  old: Excuses['suppressions'],
  written: Excuses['suppressions'],
): Excuses['suppressions'] {
  if (old === null || written === null) return null;
  if (old.taken === null || written.taken === null) return { ...old, taken: null };
  const known = new Set(written.taken.entries.map(entryText));
  const entries = old.taken.entries.filter((entry) => known.has(entryText(entry)));
  return { ...old, taken: { ...old.taken, entries } };
}

function entryText({ line: _line, ...entry }: LoadedSuppressions['entries'][number]): string {
  return JSON.stringify(entry);
}

function stricter(left: Settings['fail_on'], right: Settings['fail_on']): Settings['fail_on'] {
  const order = ['never', ...severities] as const;
  return order.indexOf(left) > order.indexOf(right) ? left : right;
}

function wider(left: Settings['rules'], right: Settings['rules']): Settings['rules'] {
  return left === 'all' ? left : right;
}

/** Names the settings that count, but are different in the checkout. */
function differences(counting: Excuses, written: Excuses): readonly string[] {
  const atBase = 'at the base of the change';
  const entriesOf = ({ suppressions }: Excuses) => suppressions?.taken?.entries.map(entryText) ?? [];
  return [
    ...(isEqual(counting.globs, written.globs)
      ? []
      : [`include and exclude of ${configFileName} count as they are ${atBase}`]),
    ...(counting.fail_on === written.fail_on
      ? []
      : [`fail_on of ${configFileName} counts as it is ${atBase}`]),
    ...(counting.rules === written.rules ? [] : [`rules of ${configFileName} count as they are ${atBase}`]),
    ...(isEqual(entriesOf(counting), entriesOf(written))
      ? []
      : [`suppressions of ${configFileName} count as they are ${atBase}`]),
  ];
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function suppressionsNote(suppressions: Excuses['suppressions']): readonly string[] {
  if (suppressions === null) return [];
  const { taken, from } = suppressions;
  if (taken !== null) return [`suppressions from ${taken.name}${ofTitle(from)}`];
  return [`no suppression file${from.title === null ? '' : ` in ${from.title}`}: nothing is suppressed`];
}
