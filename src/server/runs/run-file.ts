/** A whole file of the change under review, for the lines around its hunks. */
import { z } from 'zod';
import { requireMay } from '../../access/require.ts';
import type { Speaker } from '../../access/speaker.ts';
import { readsRepository } from '../access/reads-repository.ts';
import { conflict, notThere } from '../routes/problem.ts';
import type { ServerContext } from '../routes/server-context.ts';
import type { RunPlace } from './run-view.ts';

/** In characters: as long as a path of the system may be. */
const longestPath = 4096;

export const fileQuerySchema = z.object({
  path: z
    .string()
    .min(1)
    .max(longestPath)
    .describe('the path of a changed file, from the top of the repository'),
});

/** @throws Refusal 404, 409; CollabError `forbidden` */
export async function fileOf(
  { cwd, engine }: Pick<ServerContext, 'cwd' | 'engine'>,
  run: RunPlace,
  { path, speaker }: z.infer<typeof fileQuerySchema> & { readonly speaker: Speaker },
): Promise<string> {
  // The lines around a change are more than the change.
  requireMay(speaker, readsRepository(cwd, run.shared?.repository), 'a whole file');
  const kept = await engine.keptText(run, path);
  if (kept === null) throw conflict(`${run.runId} is not a review`);
  switch (kept.kind) {
    case 'text':
      return kept.text;
    case 'no_file':
      throw notThere('The change under review has no such file');
    case 'not_kept':
      throw conflict(`The review has no whole text: ${kept.why}`);
    default:
      return kept satisfies never;
  }
}
