/** `collab cancel`: ends a run for good, through its process or, if it has none, in its journal. */
import { addCommandOfRun } from '../flags/command-of-run.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

export function addCancelCommand(program: Program): void {
  addCommandOfRun(
    program,
    { name: 'cancel', about: 'end a run permanently', isRemote: true },
    cancel,
  ).addHelpText(
    'after',
    '\nExample:\n  collab cancel latest\n\ncollab keeps findings and edits so far, but cannot resume the run.\n',
  );
}

async function cancel(session: Session, found: OpenedRun): Promise<number> {
  const hadEnded = !(await cancelFoundRun(session, found));
  // The wait ends with Ctrl-C, too, while a process still drives the run.
  session.signal.throwIfAborted();
  session.out(`${found.runId} ${hadEnded ? 'has already ended' : 'is cancelled'}\n`);
  return 0;
}

/** Resolves when no process drives the run; with false if it had already ended. */
export async function cancelFoundRun(
  session: Pick<Session, 'clock' | 'env' | 'engine' | 'signal'>,
  found: RunFolder,
): Promise<boolean> {
  const engine = await engineOf(session);
  if ((await engine.status(found)).ended !== null) return false;
  if ((await engine.cancel(found)) === 'asked') await engine.untilFree(found, session.signal);
  return true;
}
