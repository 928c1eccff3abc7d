/** Keeps a server until a signal ends it, and lets `collab open` find it meanwhile. */
import { CollabError } from '../../errors/collab-error.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { announceServer } from '../../server/access/server-address.ts';
import { openServerFolder } from '../../server/access/server-folder.ts';
import type { RunningServer } from '../../server/start-server.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';

type KeptSession = Pick<Session, 'cwd' | 'env' | 'clock' | 'signal' | 'endedBy'>;

/** Runs until a signal ends it; `collab open` finds it even before `onFound` is called, and no longer once it stops. */
export async function keepServer(
  session: KeptSession,
  server: RunningServer,
  onFound: () => unknown,
): Promise<number> {
  const forget = announce(session, server);
  try {
    await onFound();
    await untilAborted(session.signal);
  } finally {
    forget();
    await server.stop();
  }
  return exitCodeOfEnd(session);
}

export function exitCodeOfEnd({ endedBy }: Pick<Session, 'endedBy'>): number {
  const ended = endedBy();
  return ended === null ? exitCodes.passed : exitCodeOfSignal(ended);
}

function announce({ cwd, env, clock }: KeptSession, { url }: RunningServer): () => void {
  try {
    return announceServer(openServerFolder({ home: collabHome({ cwd, env }), env, clock }), url);
  } catch (error) {
    // Without a private folder the address cannot be stored; users who have it can still use it.
    if (error instanceof CollabError && error.code === 'state_folder') return () => undefined;
    throw error;
  }
}
