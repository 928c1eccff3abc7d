import { endRun } from '../../runs/continue-run.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { summariseRun, type RunPlace } from './run-view.ts';

/** Ends a run permanently, whichever process drives it. Returns false if it had ended. */
export async function cancelServed(
  { runs, clock }: Pick<ServerContext, 'runs' | 'clock'>,
  place: ConversationPlace,
  run: RunPlace,
): Promise<boolean> {
  const { runId, folder: runFolder } = run;
  if ((await summariseRun(run)).state === 'ended') return false;
  if ((await runs.cancel(place, runId)) !== 'asked') await endRun({ runFolder, runId, clock });
  return true;
}
