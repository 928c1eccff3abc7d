/**
 * Follows a run that has its own process: prints that process's output, and if the run ends in time, ends as
 * if it had run here.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { openToRead, readBytes } from '../../system/files/read.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { engineOf } from '../engine/engine-of.ts';
import { startDetached, type Detached } from './detach.ts';
import type { PresentFlags } from './present-here.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';
import { stillRunning, tellStillRunning } from '../engine/still-running.ts';

const pollMs = 50;

export async function follow(
  session: Session,
  found: RunFolder,
  { followMs, ...flags }: PresentFlags & { readonly followMs: number },
): Promise<number> {
  const engine = await engineOf(session);
  const detached = startDetached(session, found, flagsFor(flags));
  const ended = endOf(detached);
  const log = tail(detached.log.file, detached.log.from);
  const deadline = session.clock.now() + followMs;
  try {
    while (ended.how === null && !session.signal.aborted) {
      // Keep following until a process drives the run: before that, there is nothing to wait for.
      if (session.clock.now() >= deadline && (await engine.isDriven(found))) break;
      await session.clock.sleep(pollMs, session.signal).catch(() => undefined);
      session.err(log.more());
    }
    session.err(log.more());
  } finally {
    log.close();
  }
  if (ended.how !== null) return passOn(session, found, detached, ended.how);
  detached.child.unref();
  return leaveIt(session, found);
}

function flagsFor({ format, ascii, verbose }: PresentFlags): readonly string[] {
  return [
    ...(format === undefined ? [] : ['--format', format]),
    ...(ascii === true ? ['--ascii'] : []),
    ...(verbose === true ? ['--verbose'] : []),
  ];
}

interface End {
  readonly code: number | null;
}

function endOf({ child }: Detached): { how: End | null } {
  const ended: { how: End | null } = { how: null };
  child.on('error', () => (ended.how = { code: null }));
  child.on('exit', (code) => (ended.how = { code }));
  return ended;
}

function passOn(session: Session, found: RunFolder, { out }: Detached, { code }: End): number {
  session.out(readBytes(out.file).subarray(out.from).toString('utf8'));
  if (code !== null) return code;
  session.err(`the run's process has ended; continue it: collab resume ${found.runId}\n`);
  return exitCodes.failed;
}

function leaveIt(session: Session, found: RunFolder): number {
  const signal = session.endedBy();
  if (signal === null) return tellStillRunning(session, found);
  session.err(stillRunning(session, found));
  return exitCodeOfSignal(signal);
}

/** Reads what is appended to a file after `from`, in whole characters. */
function tail(file: string, from: number): { more(): string; close(): void } {
  const descriptor = openToRead(file);
  const decoder = new StringDecoder('utf8');
  let offset = from;
  return {
    more() {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
      const read = readSync(descriptor, bytes, 0, bytes.length, offset);
      offset += read;
      return decoder.write(bytes.subarray(0, read));
    },
    close: () => closeSync(descriptor),
  };
}
