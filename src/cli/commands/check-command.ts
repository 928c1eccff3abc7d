/** `collab check`: checks the laws that a run's journal must keep (`references/events.md`). */
import type { Program } from '../program.ts';

export function addCheckCommand({ root, run }: Program): void {
  root
    .command('check')
    .description('check the journal of a run')
    .argument('[run]', 'its id, the start or end of the id, or "latest"', 'latest')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab check latest\n')
    .action((wanted: string, flags: { readonly json?: boolean }) => {
      run(async (session) => {
        const { findRun } = await import('../flags/run-arguments.ts');
        const { readJournal } = await import('../../engine/journal/journal-reader.ts');
        const { journalFile } = await import('../../engine/journal/journal.ts');
        const { checkLaws } = await import('../../events/laws.ts');
        const { runId, path } = findRun(session, wanted);
        const { events } = readJournal(journalFile(path));
        const violations = checkLaws(events);
        if (flags.json === true) {
          session.out(`${JSON.stringify({ run: runId, events: events.length, violations }, null, 2)}\n`);
        } else {
          for (const { law, seq, message } of violations) session.out(`${law} at ${seq}: ${message}\n`);
          session.out(`${runId}: ${events.length} events, ${violations.length} violations\n`);
        }
        return violations.length === 0 ? 0 : 1;
      });
    });
}
