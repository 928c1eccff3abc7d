/** The flags by which a command works on the runs of a database. */
import { Option, type Command } from 'commander';
import { priorities } from '../../tags/priorities.ts';
import type { Session } from '../session.ts';
import { engineAddress, engineVariable } from './engine-address.ts';

export interface RemoteFlags {
  readonly engine?: string | undefined;
  readonly remote?: boolean | undefined;
}

export function addRemoteFlags(command: Command, remote = 'use the runs of the database'): Command {
  return command
    .option('--remote', `${remote} (default: ${engineVariable})`)
    .option('--engine <address>', 'name the database; implies --remote');
}

export function priorityOption(): Option {
  return new Option('--priority <caller>', 'choose its place in the queue; needs --remote').choices(
    priorities,
  );
}

export function isRemote({ engine, remote }: RemoteFlags): boolean {
  return remote === true || engine !== undefined;
}

/** Calls `use` with the engine that the flags name: that of the database, or that of the folder. */
export async function withEngine<Result>(
  session: Session,
  flags: RemoteFlags,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  if (!isRemote(flags)) return use(session);
  const address = engineAddress(session, flags.engine);
  const { openDatabaseEngine } = await import('../../runs/engine/database-engine.ts');
  const engine = await openDatabaseEngine(address, session);
  try {
    return await use({ ...session, engine });
  } finally {
    await engine.close();
  }
}

/** Returns the command that prints the state of a run of this engine. */
export function statusCommand(session: Pick<Session, 'engine'>, runId: string): string {
  return `collab status ${runId}${remoteWord(session)}`;
}

/** Returns the flag for the next command on a run of this engine. */
export function remoteWord({ engine }: Pick<Session, 'engine'>): string {
  return engine === undefined ? '' : ' --remote';
}
