/**
 * One owner per run, guaranteed by the kernel: a *generation file* names a socket, and the run is held while the socket
 * named in the highest file accepts. A bare socket file fails: two owners in 15 of 25 races, measured.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { factsOf, readIfThere } from '../../system/files/read.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { remove, writeNew } from '../../system/files/write.ts';
import { askAt, serveRequests, type OwnerReply, type OwnerRequest, type RequestHandler } from './requests.ts';

export interface RunLock {
  /** Returns false once another process has taken over the run; checked before each commit point. */
  checkStillOurs(): boolean;
  /** Sets the request handler; until then every request is refused. */
  onRequest(handler: RequestHandler): void;
  /** Lets the next process take the run. Safe to call twice. */
  release(): Promise<void>;
}

const ownerSchema = z.object({ socket: z.string(), pid: z.int().positive() });
type Owner = z.infer<typeof ownerSchema>;

export interface LockOwner extends Owner {
  /** Unix time in milliseconds. */
  readonly sinceMs: number;
}

/** Takes the lock and creates a missing run folder. @throws CollabError `locked` naming the owner's pid */
export async function takeLock(runFolder: string): Promise<RunLock> {
  makeFolder(runFolder);
  const { server, socket } = await listenSomewhere();
  let handler: RequestHandler = refuseWhileStarting;
  const hangUp = serveRequests(server, () => handler);
  const close = onceOnly(() => closeServer(server, socket, hangUp));
  try {
    const generation = await claim(runFolder, { socket, pid: process.pid });
    return {
      checkStillOurs: () =>
        existsSync(lockFile(runFolder, generation)) && !existsSync(lockFile(runFolder, generation + 1)),
      onRequest(next) {
        handler = next;
      },
      release: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function refuseWhileStarting(): Promise<OwnerReply> {
  return Promise.resolve({ ok: false, message: 'the run is starting', passing: true });
}

/** Returns true once a process has taken the run, also if that process is gone. */
export function wasTaken(runFolder: string): boolean {
  return highestGeneration(runFolder) > 0;
}

/** Returns null if no process owns the run. */
export async function findOwner(runFolder: string): Promise<LockOwner | null> {
  if (!existsSync(runFolder)) return null;
  const owner = readOwner(runFolder, highestGeneration(runFolder));
  return owner !== null && (await accepts(owner.socket)) ? owner : null;
}

/** Returns null if no process owns the run, or its owner exited before it replied. */
export async function askOwner(
  runFolder: string,
  request: OwnerRequest,
  signal?: AbortSignal,
): Promise<OwnerReply | null> {
  const owner = readOwner(runFolder, highestGeneration(runFolder));
  return owner === null ? null : askAt(owner.socket, request, signal);
}

/**
 * Returns our new number. Only `link()` decides: it fails if the name is taken. A name that others took and removed since
 * we read is free again, but no longer the highest.
 */
async function claim(runFolder: string, ourselves: Owner): Promise<number> {
  for (;;) {
    const highest = highestGeneration(runFolder);
    const owner = readOwner(runFolder, highest);
    if (owner !== null && (await accepts(owner.socket))) throw lockedBy(owner, runFolder);
    const file = lockFile(runFolder, highest + 1);
    if (!isNew(file, ourselves)) continue;
    if (highestGeneration(runFolder) === highest + 1) {
      if (owner !== null) removeSocket(owner.socket);
      return highest + 1;
    }
    remove(file);
  }
}

function isNew(file: string, owner: Owner): boolean {
  try {
    // Not synced: a power loss that destroys its text also ends its owner.
    writeNew(file, JSON.stringify(owner), { synced: false });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function highestGeneration(runFolder: string): number {
  const numbers = readdirSync(runFolder).map((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

/** A power loss leaves an unreadable file; its owner did not survive either. A file that is gone had a successor. */
function readOwner(runFolder: string, generation: number): LockOwner | null {
  if (generation === 0) return null;
  const file = lockFile(runFolder, generation);
  try {
    const owner = ownerSchema.safeParse(JSON.parse(readIfThere(file) ?? 'null')).data;
    return owner === undefined ? null : { ...owner, sinceMs: factsOf(file)?.mtimeMs ?? 0 };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Only "refused" and "no such file" prove that no process listens; any other answer counts as held. */
function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.on('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', (error) => {
      resolve(!hasCode(error, 'ECONNREFUSED', 'ENOENT'));
    });
  });
}

async function listenSomewhere(): Promise<{ readonly server: Server; readonly socket: string }> {
  const socket = freshAddress();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(socket, resolve);
  });
  return { server, socket };
}

/** Creates a folder of its own, mode 0700, so that no other user of the machine can connect. */
function freshAddress(): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\collab-${randomBytes(12).toString('hex')}`;
  return join(makeTemporaryFolder('collab-', socketParent()), 's');
}

/** The path of a socket holds at most 104 bytes on macOS, 108 on Linux. */
function socketParent(): string {
  const folder = realPlace(tmpdir());
  return Buffer.byteLength(folder) <= 80 ? folder : realPlace('/tmp');
}

async function closeServer(server: Server, socket: string, hangUp: () => void): Promise<void> {
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  removeSocket(socket);
  // Replies that are due in this tick are still sent.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  hangUp();
  await closed;
}

/** Removes only paths that `freshAddress` creates: a run folder may come from a stranger. */
function removeSocket(socket: string): void {
  const folder = dirname(socket);
  if (dirname(folder) !== socketParent() || !/[/\\]collab-\w{6}[/\\]s$/.test(socket)) return;
  remove(folder);
}

function lockFile(runFolder: string, generation: number): string {
  return join(runFolder, `lock.${generation}`);
}

function lockedBy(owner: LockOwner, runFolder: string): CollabError {
  const since = `${new Date(owner.sinceMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const who = `Another collab (process ${owner.pid}, since ${since})`;
  return new CollabError('locked', `${who} is working on this run`, {
    hint: 'collab wait follows it; collab cancel ends it.',
    details: { pid: owner.pid, since, run_folder: runFolder },
  });
}

function onceOnly(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= action());
}
