/**
 * Creates Codex's empty databases once and copies them into the CODEX_HOME of each new run: creating them takes most of the
 * start in an empty folder (0.169: 480 instead of 190 ms on a busy disk). A server without user data or run data makes a seed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPlace } from '../../../system/files/in-folder.ts';
import { copySmall, removeTree, rename, syncFile } from '../../../system/files/tree.ts';
import { remove } from '../../../system/files/write.ts';
import type { Platform } from '../../../system/platform.ts';
import { connect } from './connect.ts';
import { buildEnvironment, disableFeatures } from './launch-profile.ts';
import { openStateFolders } from './state-folders.ts';

/** Returns the seed folder for this program: beside the folders of the runs, where `collab clean` removes old files. */
export function seedFolder(stateFolder: string, program: string): string {
  const { size, mtimeMs } = statSync(program);
  const key = createHash('sha256').update(`${program}\0${size}\0${mtimeMs}`).digest('hex').slice(0, 16);
  return join(dirname(realPlace(stateFolder)), `codex-${key}`);
}

/** Copies the seed into a CODEX_HOME without databases. Without a complete seed, Codex creates its own. */
export function sow(seed: string, codexHome: string): void {
  if (databasesIn(codexHome).length > 0) return;
  const source = join(seed, 'codex');
  try {
    for (const name of databasesIn(source)) copySmall(join(source, name), join(codexHome, name));
  } catch {
    // The seed was removed while it was being copied: a database without its log would be an older one.
    for (const name of databasesIn(codexHome)) remove(join(codexHome, name));
  }
}

/** Removes the seed after a failed start, so that the next run does not inherit the fault. */
export function removeSeed(seed: string): Promise<void> {
  return removeTree(seed);
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
    if (await grow(options, unfinished)) rename(unfinished, seed);
  } catch {
    // The disk is full, or another run was faster.
  } finally {
    await removeTree(unfinished);
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
  // A seed's name must not be on the disk before its content.
  for (const name of databasesIn(codexHome)) syncFile(join(codexHome, name));
  return !signal.aborted;
}

/** Lists the databases with their logs; their shared memory is created again. */
function databasesIn(codexHome: string): readonly string[] {
  return existsSync(codexHome) ? readdirSync(codexHome).filter((name) => /\.sqlite(-wal)?$/.test(name)) : [];
}
