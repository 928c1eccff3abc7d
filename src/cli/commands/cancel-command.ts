/** `collab cancel`: ends a run for good, through its process or, if it has none, in its journal. */
import type { Program } from '../program.ts';

export function addCancelCommand({ root, run }: Program): void {
  root
    .command('cancel')
    .description('end a run permanently')
    .argument('[run]', 'its id, the start or end of the id, or "latest"', 'latest')
    .addHelpText(
      'after',
      '\nExample:\n  collab cancel latest\n\ncollab keeps findings and edits so far, but cannot resume the run.\n',
    )
    .action((wanted: string) => {
      run(async (session) => {
        const { findRun } = await import('../flags/run-arguments.ts');
        const { readOutcome, waitForOwner } = await import('../../engine/drive/other-process.ts');
        const { endRun } = await import('../../runs/continue-run.ts');
        const found = findRun(session, wanted);
        if (readOutcome(found.path) !== null) {
          session.out(`${found.runId} has already ended\n`);
          return 0;
        }
        const { runId, path: runFolder } = found;
        if ((await endRun({ runFolder, runId, clock: session.clock })) === 'asked') {
          await waitForOwner({ runFolder, clock: session.clock }, session.signal);
        }
        session.out(`${found.runId} is cancelled\n`);
        return 0;
      });
    });
}
