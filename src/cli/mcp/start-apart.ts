/** Starts a run for a calling agent: in a process of its own, which outlives this server. */
import { owner } from '../../access/speaker.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { startRequested } from '../../runs/start.ts';
import { detach } from '../driving/detach.ts';
import { startPlaceOf } from '../driving/place-of.ts';
import type { Session } from '../session.ts';

/** The agent that calls, on behalf of the person who set it up. */
const host = { kind: 'host', behind: owner } as const;

/** @throws CollabError as the start of the run's kind */
export async function startApart(session: Session, request: StartRequest): Promise<OpenedRun> {
  const { readInput: _noInput, ...place } = startPlaceOf(session);
  const started = await startRequested(request, { ...place, speaker: host });
  await driveApart(session, started);
  return started;
}

/** Resolves when another process drives the run. Standard output belongs to the protocol. */
export async function driveApart(session: Session, found: OpenedRun): Promise<void> {
  await detach({ ...session, out: () => undefined }, found);
}
