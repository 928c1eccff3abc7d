/** Reads what people dismissed before the change: like the settings that hide findings, no change brings its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesOnDisk } from '../../config/file-source.ts';
import { historyFile, loadDismissals } from '../../config/load-dismissals.ts';
import { CollabError, isRefusal } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { isGitRequest } from '../../git/change/compare-states.ts';
import { renderDismissal, type Dismissal, type ReadDismissals } from '../../review/dismissals/dismissal.ts';
import { dismissedKinds, type DismissedKind } from '../../review/dismissals/kinds.ts';
import { renderCount } from '../../text/quantities.ts';
import { ofTitle, openOldSide, type Origin, type ReadPlace } from './origin.ts';

export interface Lessons {
  readonly kinds: readonly DismissedKind[];
  /** For the first lines. */
  readonly notes: readonly string[];
}

export interface DismissedOptions {
  /** The change under review; null if the run reviews no given change. */
  readonly change: ChangeRequest | null;
  /** The files from which the settings come. */
  readonly origin: Origin;
}

/** A history that cannot be read teaches nothing, and the first lines say so. @throws CollabError `range`, `input` */
export async function readDismissed(
  place: ReadPlace,
  { change, origin }: DismissedOptions,
): Promise<Lessons> {
  if (origin.source !== filesOnDisk || change === null) return dismissedIn(origin);
  // A change that removes the history makes its own review stricter.
  if (!existsSync(join(origin.top, historyFile))) return { kinds: [], notes: [] };
  const before = await openOldSide(place, change);
  try {
    const isOnlySaid = !isGitRequest(change);
    return await dismissedIn(before, isOnlySaid ? origin : null);
  } finally {
    await before.close();
  }
}

/** The old side of a diff is only its author's word: what it contains has to be in the checkout, too. */
async function dismissedIn(origin: Origin, also: Origin | null = null): Promise<Lessons> {
  try {
    const found = await loadDismissals(origin);
    const here = found === null || also === null ? null : await loadDismissals(also);
    return found === null
      ? { kinds: [], notes: [] }
      : learn(found, { origin, here: here?.dismissals ?? null });
  } catch (error) {
    if (!(error instanceof CollabError) || !isRefusal(error.code)) throw error;
    return { kinds: [], notes: [`${error.message}: nothing is learned from dismissals`] };
  }
}

interface LearnOptions {
  readonly origin: Origin;
  /** Those of the checkout; null if they do not matter. */
  readonly here: readonly Dismissal[] | null;
}

function learn({ dismissals, damaged }: ReadDismissals, { origin, here }: LearnOptions): Lessons {
  const known = here === null ? null : new Set(here.map(renderDismissal));
  const counting = dismissals.filter((dismissal) => known?.has(renderDismissal(dismissal)) ?? true);
  const kinds = dismissedKinds(counting);
  const from = `${historyFile}${ofTitle(origin)}`;
  return {
    kinds,
    notes: [
      ...(kinds.length === 0
        ? []
        : [`${renderCount(kinds.length, 'kind')} of dismissed findings from ${from}`]),
      ...(damaged.length === 0 ? [] : [`${renderCount(damaged.length, 'line')} of ${from} cannot be read`]),
    ],
  };
}
