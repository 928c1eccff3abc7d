/** `collab cancel`: ends a run for good, through the process that drives it or, where there is none, in its record. */
import type { Program } from './program.ts';

export function addCancelCommand({ root, run }: Program): void {
  root
    .command('cancel')
    .description('end a run for good')
    .argument('[run]', 'its id, the beginning or end of it, or "latest"', 'latest')
    .addHelpText(
      'after',
      '\nExample:\n  collab cancel latest\n\nWhat was found and edited so far is kept; collab resume does not go on with it.\n',
    )
    .action((wanted: string) => {
      run(async (session) => {
        const { findRun } = await import('./run-arguments.ts');
        const { cancelRun, readOutcome, waitForOwner } = await import('../runs/outside.ts');
        const { writeCancelledResult } = await import('../runs/drive-run.ts');
        const found = findRun(session, wanted);
        if (readOutcome(found.path) !== null) {
          session.out(`${found.runId} has ended already\n`);
          return 0;
        }
        const how = await cancelRun({ runFolder: found.path, clock: session.clock });
        if (how === 'asked') {
          await waitForOwner({ runFolder: found.path, clock: session.clock }, session.signal);
        } else
          await writeCancelledResult({ runFolder: found.path, runId: found.runId, clock: session.clock });
        session.out(`${found.runId} is cancelled\n`);
        return 0;
      });
    });
}
