import type { Command } from 'commander';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

/** Performs a command on one run. Returns the exit code. */
type ActionOnRun<Flags> = (session: Session, found: OpenedRun, flags: Flags) => Promise<number>;

/** Adds a command whose argument names a run; without it, the newest. The action loads only if the command is called. */
export function addCommandOfRun<Flags>(
  { root, run }: Program,
  { name, about }: { readonly name: string; readonly about: string },
  action: ActionOnRun<Flags>,
): Command {
  return root
    .command(name)
    .description(about)
    .argument('[run]', 'its id, the start or end of the id, or "latest"', 'latest')
    .action((wanted: string, flags: Flags) => {
      run(async (session) => {
        const { findRun } = await import('./run-arguments.ts');
        return action(session, await findRun(session, wanted), flags);
      });
    });
}
