/** `collab resume`: continues a run from its last finished step; finished steps are not repeated. */
import { addGoOnFlags, type GoOnFlags } from '../flags/go-on-flags.ts';
import type { Program } from '../program.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { Session } from '../session.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';

export function addResumeCommand(program: Program): void {
  const command = { name: 'resume', about: 'continue an interrupted or waiting run' };
  addGoOnFlags(addCommandOfRun(program, command, resume)).addHelpText(
    'after',
    '\nExamples:\n  collab resume\n  collab resume 20261121-093005-x7k2 --detach\n\nFinished work is not repeated. Exit codes: those of the command that started the run\n',
  );
}

async function resume(session: Session, found: OpenedRun, flags: GoOnFlags): Promise<number> {
  (await import('../flags/fitting-format.ts')).refuseMisfit(found, flags.format);
  return (await import('../driving/present-run.ts')).presentRun(session, found, flags);
}
