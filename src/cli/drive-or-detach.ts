/** Drives a run here or in a process of its own, as the flags and the caller want it. */
import type { RunFolder } from '../runs/run-folder.ts';
import { insideClaudeCode } from '../runs/lead-choice.ts';
import type { DriveFlags } from './drive.ts';
import type { Session } from './session.ts';

/**
 * Inside Claude Code a command is cut off after a while, and its process with it: there the run gets a process of its own
 * from the start, and this one only follows it.
 */
export async function driveOrDetach(
  session: Session,
  found: RunFolder,
  flags: DriveFlags & { readonly detach?: boolean },
): Promise<number> {
  if (flags.detach === true) return (await import('./detach.ts')).detach(session, found);
  if (wouldBeCutOff(session)) return (await import('./follow.ts')).follow(session, found, flags);
  return (await import('./drive.ts')).drive(session, found, flags);
}

export function wouldBeCutOff({ env, screen }: Session): boolean {
  return insideClaudeCode(env) && !screen.interactive.out && !screen.interactive.err;
}
