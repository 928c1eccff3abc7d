/**
 * Creates Codex's empty databases once and copies them into the CODEX_HOME of each new run: creating them is most of its start
 * in an empty one (0.169: 480 instead of 190 ms on a busy disk). A seed is made by a server without user data or run data.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Platform } from '../../../system/platform.ts';
import { connect } from './connect.ts';
import { buildEnvironment, disableFeatures } from './launch-profile.ts';
import { openStateFolders } from './state-folders.ts';

/** Returns the seed folder for this program: beside the folders of the runs, where `collab clean` removes old files. */
export function seedFolder(stateFolder: string, program: string): string {
  const { size, mtimeMs } = statSync(program);
  const key = createHash('sha256').update(`${program}\0${size}\0${mtimeMs}`).digest('hex').slice(0, 16);
  return join(dirname(stateFolder), `codex-${key}`);
}

/** Copies the seed into a CODEX_HOME without databases. Without a complete seed, Codex creates its own. */
export function sow(seed: string, codexHome: string): void {
  if (databasesIn(codexHome).length > 0) return;
  const source = join(seed, 'codex');
  try {
    for (const name of databasesIn(source)) copyFileSync(join(source, name), join(codexHome, name));
  } catch {
    // The seed was removed while it was being copied: a database without its log would be an older one.
    for (const name of databasesIn(codexHome)) rmSync(join(codexHome, name), { force: true });
  }
}

/** Removes the seed after a failed start, so that the next run does not inherit the fault. */
export function removeSeed(seed: string): Promise<void> {
  return rm(seed, { recursive: true, force: true });
}

export interface SeedOptions {
  readonly program: string;
  readonly seed: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders of PATH outside the repository. */
  readonly path: readonly string[];
  readonly platform: Platform;
  readonly timeoutMs: number;
  /** Cancels the work and leaves nothing behind. */
  readonly signal: AbortSignal;
}

/** Makes a seed unless there is one. Never fails: a run works without it. */
export async function makeSeed(options: SeedOptions): Promise<void> {
  const { seed, signal } = options;
  if (signal.aborted || databasesIn(join(seed, 'codex')).length > 0) return;
  const unfinished = `${seed}.${process.pid}`;
  try {
    if (await grow(options, unfinished)) await rename(unfinished, seed);
  } catch {
    // The disk is full, or another run was faster.
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Returns false if it was cancelled or Codex did not start. */
async function grow(options: SeedOptions, folder: string): Promise<boolean> {
  const { program, env, path, platform, timeoutMs, signal } = options;
  const { home, codex: codexHome, empty: cwd } = openStateFolders(folder);
  const connected = await connect({
    file: program,
    args: ['app-server', ...disableFeatures, '-c', 'skills.bundled.enabled=false'],
    cwd,
    env: buildEnvironment({ env, path, home, codexHome, platform }),
    timeoutMs,
    signal,
  });
  if (!connected.ok) return false;
  await connected.connection.stop();
  for (const name of databasesIn(codexHome)) synced(join(codexHome, name));
  return !signal.aborted;
}

/** Lists the databases with their logs; their shared memory is created again. */
function databasesIn(codexHome: string): readonly string[] {
  return existsSync(codexHome) ? readdirSync(codexHome).filter((name) => /\.sqlite(-wal)?$/.test(name)) : [];
}

/** Flushes a file: its name must not be on the disk before its content. */
function synced(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
