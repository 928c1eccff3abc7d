import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { StartInput } from '../../runs/start.ts';
import type { Session } from '../session.ts';

/**
 * Starts a run among those of the folder in which the command was called.
 * @throws CollabError as `startRun`
 */
export async function beginHere(session: Session, input: StartInput, runId?: string): Promise<RunFolder> {
  const [{ startRun }, { collabHome }] = await Promise.all([
    import('../../runs/start.ts'),
    import('../../runs/folder/run-folder.ts'),
  ]);
  const { cwd, clock, speaker } = session;
  return startRun(input, { home: collabHome(session), cwd, clock, speaker, runId });
}
