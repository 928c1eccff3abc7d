/** The states of a run's copy in its records, for a machine that does not have the copy. */
import { z } from 'zod';
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { objectIdSchema } from '../../git/repository/object-id.ts';
import type { LaterState } from '../../git/working-copy/travel.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { KeptTree } from '../../machine/lead/lead-types.ts';
import { parseJson } from '../../text/parse-json.ts';
import type { KeepState } from '../calls/lead-call.ts';

/** Returns a text of the run; null if there is none. */
type ReadText = (name: string) => Promise<string | null>;

/** A state is durable with the record of the step that made it: not later, and not earlier. */
export function keeperOf(copy: Pick<WorkingCopy, 'pack'>): KeepState {
  return async (attempt, { tree, commit }) => {
    const pack = await copy.pack(commit ?? tree);
    return pack === null ? null : { tree, commit, pack: attempt.keep(pack.toString('base64')) };
  };
}

/**
 * Returns the commits of a run, and its last state if that is not a commit yet.
 * @throws CollabError `journal_corrupt`
 */
export async function readKept(
  events: readonly CollabEvent[],
  text: ReadText,
): Promise<readonly LaterState[]> {
  const kept = await listKept(events, text);
  // A commit has all that the states before it changed.
  const needed = kept.filter(({ commit }, index) => commit !== null || index === kept.length - 1);
  return Promise.all(
    needed.map(async (state) => ({
      ...state,
      pack: Buffer.from(await textOf(state.pack, text), 'base64'),
    })),
  );
}

/**
 * Checks that the folder has the last state in the records: another process may have continued the run while the folder was
 * being made.
 * @throws CollabError `locked`
 */
export async function refuseEarlierState(
  copy: Pick<WorkingCopy, 'snapshot'>,
  events: readonly CollabEvent[],
  text: ReadText,
): Promise<void> {
  const last = (await listKept(events, text)).at(-1);
  if (last === undefined || last.tree === (await copy.snapshot())) return;
  throw new CollabError('locked', 'Another process continued the run meanwhile');
}

const keepingSchema = z.looseObject({
  kept: z.object({ tree: objectIdSchema, commit: objectIdSchema.nullable(), pack: z.string() }).optional(),
});

async function listKept(events: readonly CollabEvent[], text: ReadText): Promise<readonly KeptTree[]> {
  const kept: KeptTree[] = [];
  for (const { value, value_ref } of events.filter(isKeeping)) {
    const read = value_ref === undefined ? value : parseJson(await textOf(value_ref, text));
    const state = keepingSchema.safeParse(read).data?.kept;
    if (state !== undefined) kept.push(state);
  }
  return kept;
}

function isKeeping(event: CollabEvent): event is CollabEventOf<'step.ended'> {
  return event.type === 'step.ended' && /\/(?:turn-\d+|commit)$/.test(event.step);
}

async function textOf(name: string, text: ReadText): Promise<string> {
  const found = await text(name);
  if (found !== null) return found;
  throw new CollabError('journal_corrupt', `A stored state of the run's files is missing: ${name}`);
}
