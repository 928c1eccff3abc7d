import type { Command } from 'commander';
import { addRemoteFlags, withEngine, type RemoteFlags } from '../engine/remote-flags.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

/** Performs a command on one run. Returns the exit code. */
type ActionOnRun<Flags> = (session: Session, found: OpenedRun, flags: Flags) => Promise<number>;

interface CommandText {
  readonly name: string;
  readonly about: string;
  /** True if it also works on the runs of a database. */
  readonly isRemote?: boolean;
}

/** Adds a command whose argument names a run; without it, the newest. The action loads only if the command is called. */
export function addCommandOfRun<Flags>(
  { root, run }: Program,
  { name, about, isRemote = false }: CommandText,
  action: ActionOnRun<Flags>,
): Command {
  const command = root
    .command(name)
    .description(about)
    .argument('[run]', 'its id, the start or end of the id, or "latest"', 'latest')
    .action((wanted: string, flags: Flags & RemoteFlags) => {
      run((session) =>
        withEngine(session, flags, async (at) => {
          const { findRun } = await import('./run-arguments.ts');
          return action(at, await findRun(at, wanted), flags);
        }),
      );
    });
  return isRemote ? addRemoteFlags(command) : command;
}
