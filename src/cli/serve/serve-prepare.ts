/** A command of the protocol as a request of the server asks for it: prepared like a typed one, and handed over undriven. */
import { CommanderError } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import { collabHome, type RunFolder } from '../../runs/folder/run-folder.ts';
import type { CommandCall } from '../../server/runs/run-ports.ts';
import { defaultFlags } from '../flags/default-flags.ts';
import type { Action, Program } from '../program.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import { refuseFileFlags } from './serve-guest.ts';
import { skillFolder } from './served-skills.ts';
import type { Session } from '../session.ts';

export interface ServedCommands {
  readonly session: Session;
  readonly flags: ServeFlags;
  readonly read: Program['read'];
}

/** @throws CollabError as the command, `usage` for one that begins no run */
export async function prepareServed(
  { home, args, text, skills, signal }: CommandCall,
  { session, flags, read }: ServedCommands,
): Promise<RunFolder> {
  const isGuest = home !== collabHome(session);
  if (isGuest) refuseFileFlags(args);
  const folders = skills.map((name) => skillFolder(name, session.cwd));
  let taken: RunFolder | null = null;
  await actionOf(
    withDefaults(args, flags, folders[0]),
    read,
  )({
    ...session,
    // The server's own standard input is nobody's diff.
    given: text ?? '',
    isGuest,
    signal: AbortSignal.any([session.signal, signal]),
    env: { ...session.env, COLLAB_HOME: home, CLAUDECODE: undefined },
    out: () => undefined,
    err: () => undefined,
    takesOver(found) {
      taken = found;
      return Promise.resolve(0);
    },
  });
  if (taken === null) throw new CollabError('usage', `${args[0] ?? 'this'} begins no run`);
  return taken;
}

function actionOf(args: readonly string[], read: Program['read']): Action {
  const action = parse(args, read);
  if (action === null) throw new CollabError('usage', `${args.join(' ')} begins no run`);
  return action;
}

function parse(args: readonly string[], read: Program['read']): Action | null {
  try {
    return read(args);
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    throw new CollabError('usage', cause.message.replace(/^error: /, ''), { cause });
  }
}

/** What the server was started with holds where the request says nothing else. */
function withDefaults(
  [command = '', ...args]: readonly string[],
  flags: ServeFlags,
  skill: string | undefined,
): readonly string[] {
  const chosen = defaultFlags(args, {
    '--lead': command === 'consult' ? undefined : flags.lead,
    '--skill': command === 'run' ? skill : undefined,
    '--advisor': flags.advisor,
    '--language': flags.language,
    '--config': flags.config,
    '--config-from': flags.configFrom,
  });
  return [command, ...chosen, ...args];
}
