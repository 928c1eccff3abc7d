/** A run in a process of its own, with all its limits in force. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import { findOwner } from '../runs/run-lock.ts';
import type { RunFolder } from '../runs/run-folder.ts';
import type { Session } from './session.ts';

const pollMs = 20;

/**
 * Returns when the child drives the run, with one JSON line on standard output. What the child would have said goes to the
 * run's `detached.log`.
 *
 * @throws CollabError `internal` where the child ended before it drove the run
 */
export async function detach(session: Session, found: RunFolder): Promise<number> {
  const logFile = join(found.path, 'detached.log');
  const log = openSync(logFile, 'a', 0o600);
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [program, 'resume', found.runId], {
    cwd: session.cwd,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  if (!(await drives(session, child, found))) {
    throw new CollabError('internal', `the process in the background ended at once: ${lastLine(logFile)}`, {
      hint: `see ${logFile}`,
    });
  }
  child.unref();
  session.out(`${JSON.stringify({ run: found.runId, next: `collab wait ${found.runId} --timeout 9m` })}\n`);
  return 0;
}

/** A child that is quick enough has ended its run well before we looked. */
async function drives(session: Session, child: ChildProcess, found: RunFolder): Promise<boolean> {
  const { resultState } = await import('../runs/result-of-run.ts');
  let gone = false;
  child.on('error', () => (gone = true));
  child.on('exit', () => (gone = true));
  for (;;) {
    if ((await findOwner(found.path)) !== null || resultState(found.path) === 'ended') return true;
    if (gone) return false;
    await session.clock.sleep(pollMs, session.signal);
  }
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '';
}
