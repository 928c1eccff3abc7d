/** Starts a run for a host, an agent or an editor: in a process of its own, which outlives the server of the host. */
import { owner, type Speaker } from '../../access/speaker.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { startRequested } from '../../runs/start.ts';
import { detach } from './detach.ts';
import { startPlaceOf } from './place-of.ts';
import type { Session } from '../session.ts';

/** The program that calls, on behalf of the person who set it up. */
export const host = { kind: 'host', behind: owner } as const satisfies Speaker;

/** @throws CollabError as the start of the run's kind */
export async function startApart(session: Session, request: StartRequest): Promise<OpenedRun> {
  const started = await startForHost(session, request);
  await driveApart(session, started);
  return started;
}

/** Starts a run that no process drives yet. @throws CollabError as the start of the run's kind */
export async function startForHost(session: Session, request: StartRequest): Promise<OpenedRun> {
  const { readInput: _noInput, ...place } = startPlaceOf(session);
  return startRequested(request, { ...place, speaker: host });
}

/** Resolves when another process drives the run. Standard output belongs to the protocol. */
export async function driveApart(session: Session, found: OpenedRun): Promise<void> {
  await detach({ ...session, out: () => undefined }, found);
}
