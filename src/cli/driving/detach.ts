/** Starts a run in its own process, with all its limits in force. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { readBytes } from '../../system/files/read.ts';
import { openToAppend as openAppended } from '../../system/files/write.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Session } from '../session.ts';
import { waitCommand } from '../engine/still-running.ts';
import { renderJsonLine } from '../../text/render-json.ts';

const pollMs = 20;

/**
 * Resolves when the child drives the run, after printing one JSON line. The child's standard error goes to
 * the run's `detached.log`, its report to `detached.out`.
 * @throws CollabError `internal` if the child ended before it drove the run
 */
export async function detach(session: Session, found: RunFolder): Promise<number> {
  const { child, log } = startDetached(session, found, []);
  if (!(await drives(session, child, found))) throw endedAtOnce(log);
  child.unref();
  session.out(renderJsonLine({ run: found.runId, next: waitCommand(session, found) }));
  return 0;
}

export interface Detached {
  readonly child: ChildProcess;
  readonly log: Written;
  readonly out: Written;
}

/** A file in the run folder, and the offset of the first byte that the child writes. */
export interface Written {
  readonly file: string;
  readonly from: number;
}

export function startDetached(session: Session, found: RunFolder, flags: readonly string[]): Detached {
  const log = openToAppend(join(found.path, 'detached.log'));
  const out = openToAppend(join(found.path, 'detached.out'));
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [program, 'resume', found.runId, ...flags], {
    cwd: session.cwd,
    // No caller cuts this process off: it drives the run itself.
    env: { ...session.env, CLAUDECODE: undefined },
    detached: true,
    stdio: ['ignore', out.descriptor, log.descriptor],
  });
  for (const { descriptor } of [log, out]) closeSync(descriptor);
  return { child, log, out };
}

function openToAppend(file: string): Written & { readonly descriptor: number } {
  const { descriptor } = openAppended(file);
  return { file, descriptor, from: fstatSync(descriptor).size };
}

/** A quick child may have ended its run before this check. */
async function drives(session: Session, child: ChildProcess, found: RunFolder): Promise<boolean> {
  let gone = false;
  child.on('error', () => (gone = true));
  child.on('exit', () => (gone = true));
  const engine = await engineOf(session);
  const stateOf = async () => (await engine.result(found).catch(() => null))?.state ?? null;
  for (;;) {
    if ((await engine.isDriven(found)) || (await stateOf()) === 'ended') return true;
    if (gone) return ['ended', 'waiting'].includes((await stateOf()) ?? '');
    await session.clock.sleep(pollMs, session.signal);
  }
}

function endedAtOnce({ file, from }: Written): CollabError {
  const lastLine = readBytes(file).subarray(from).toString('utf8').trim().split('\n').at(-1) ?? '';
  return new CollabError('internal', `the background process ended immediately: ${lastLine}`, {
    hint: `see ${file}`,
  });
}
