/** The text of the change under review in a run, with its secrets masked. */
import { z } from 'zod';
import type { CollabEvent } from '../../events/collab-event.ts';
import { recordsSoFar } from '../../engine/journal/recorded-events.ts';
import { masked } from '../../runs/agents/masked-turn.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { loadJson } from '../../engine/journal/step-value.ts';
import { blobsOf } from '../../engine/store/embedded-store.ts';

/** Resolves with null if there is no change, or none yet. */
export async function diffOf(runFolder: string, input: RunInput | null): Promise<string | null> {
  if (input === null || input.kind === 'consult') return null;
  const diff = input.kind === 'review' ? input.change.diff : await lastMade(runFolder);
  return diff === null ? null : masked(diff);
}

const madeSchema = z.looseObject({ diffText: z.string() });

/** Returns the lead's change, as the newest review of the workflow captured it. */
async function lastMade(runFolder: string): Promise<string | null> {
  const taken = recordsSoFar(runFolder).findLast(isCensus);
  if (taken?.type !== 'step.ended') return null;
  const made: unknown = JSON.parse(await loadJson(blobsOf(runFolder), taken));
  return madeSchema.safeParse(made).data?.diffText ?? null;
}

function isCensus(event: CollabEvent): boolean {
  return event.type === 'step.ended' && event.step.endsWith('/census');
}
