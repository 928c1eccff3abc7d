/** Presents a run that continues here or in its own process, depending on the flags and the caller. */
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { insideClaudeCode } from '../../runs/agents/lead-choice.ts';
import type { PresentFlags } from './present-here.ts';
import { takesDuration } from '../flags/flag-values.ts';
import type { Session } from '../session.ts';

/**
 * Inside Claude Code a command is cut off after a while, together with its process: there the run gets its
 * own process from the start, and this one only follows it.
 */
export async function presentRun(
  session: Session,
  found: OpenedRun,
  flags: PresentFlags & { readonly detach?: boolean | undefined },
): Promise<number> {
  if (flags.detach === true) return (await import('./detach.ts')).detach(session, found);
  const followMs = followLimit(session);
  if (followMs === null) return (await import('./present-here.ts')).presentHere(session, found, flags);
  return (await import('./follow.ts')).follow(session, found, { ...flags, followMs });
}

/** Below the two minutes after which Claude Code cuts a command off. `COLLAB_FOLLOW` overrides it. */
const usualFollow = '100s';

/**
 * Returns how long to follow a run in its own process; null if the run is driven here. Called before anything
 * is started or recorded.
 * @throws CollabError `usage` for a `COLLAB_FOLLOW` that is not a duration
 */
export function followLimit({ env, screen }: Session): number | null {
  if (!insideClaudeCode(env) || screen.interactive.out || screen.interactive.err) return null;
  return takesDuration('COLLAB_FOLLOW')(env['COLLAB_FOLLOW'] ?? usualFollow);
}
