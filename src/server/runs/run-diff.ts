/** The text of the change under review in a run, with its secrets masked. */
import { z } from 'zod';
import type { CollabEvent } from '../../events/collab-event.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { parseJson } from '../../text/parse-json.ts';

/** Resolves with null if there is no change, or none yet. */
export async function diffOf(engine: Engine, run: RunFolder): Promise<string | null> {
  const input = await engine.input(run);
  if (input === null || input.kind === 'consult') return null;
  const diff = input.kind === 'review' ? input.change.diff : await lastMade(engine, run);
  return diff === null ? null : masked(diff);
}

const madeSchema = z.looseObject({ diffText: z.string() });

/** Returns the lead's change, as the newest review of the workflow captured it. */
async function lastMade(engine: Engine, run: RunFolder): Promise<string | null> {
  if ((await engine.ends(run)) === null) return null;
  const taken = (await engine.records(run)).findLast(isCensus);
  if (taken?.type !== 'step.ended') return null;
  const { value, value_ref: name } = taken;
  const made: unknown = name === undefined ? value : parseJson((await engine.text(run, name)) ?? '');
  return madeSchema.safeParse(made).data?.diffText ?? null;
}

function isCensus(event: CollabEvent): boolean {
  return event.type === 'step.ended' && event.step.endsWith('/census');
}
