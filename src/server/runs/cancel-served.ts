import type { ConversationPlace } from '../conversations/conversations.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { summariseRun, type RunPlace } from './run-view.ts';

/** Ends a run permanently, whichever process drives it. Returns false if it had ended. */
export async function cancelServed(
  { runs, engine }: Pick<ServerContext, 'runs' | 'engine'>,
  place: ConversationPlace,
  run: RunPlace,
): Promise<boolean> {
  if ((await summariseRun(engine, run)).state === 'ended') return false;
  if ((await runs.cancel(place, run.runId)) !== 'asked') await engine.cancel(run);
  return true;
}
