/**
 * Codex' empty databases, made once and copied into the CODEX_HOME of each new run: creating them is most of its start in
 * an empty one (0.169: 480 instead of 190 ms on a busy disk). A seed comes from a server that knew no user and no run.
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

/** Where the seed for this program lies: beside the folders of the runs, where `collab clean` removes what is old. */
export function seedFolder(stateFolder: string, program: string): string {
  const { size, mtimeMs } = statSync(program);
  const key = createHash('sha256').update(`${program}\0${size}\0${mtimeMs}`).digest('hex').slice(0, 16);
  return join(dirname(stateFolder), `codex-${key}`);
}

/** Into a CODEX_HOME without databases. Without a seed, or with half of one, Codex makes its own. */
export function sow(seed: string, codexHome: string): void {
  if (databasesIn(codexHome).length > 0) return;
  const source = join(seed, 'codex');
  try {
    for (const name of databasesIn(source)) copyFileSync(join(source, name), join(codexHome, name));
  } catch {
    // Removed while it was read: a database without its log would be an older one.
    for (const name of databasesIn(codexHome)) rmSync(join(codexHome, name), { force: true });
  }
}

/** After a start that failed: whatever was wrong, the next run does not inherit it. */
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
  /** Gives it up: nothing is left of it. */
  readonly signal: AbortSignal;
}

/** Does nothing where there is one, and never fails: a run goes well without. */
export async function makeSeed(options: SeedOptions): Promise<void> {
  const { seed, signal } = options;
  if (signal.aborted || databasesIn(join(seed, 'codex')).length > 0) return;
  const unfinished = `${seed}.${process.pid}`;
  try {
    if (await grow(options, unfinished)) await rename(unfinished, seed);
  } catch {
    // No room, or another run was quicker.
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** False where it was given up or Codex did not start. */
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

/** With their logs; what they share in memory is made anew. */
function databasesIn(codexHome: string): readonly string[] {
  return existsSync(codexHome) ? readdirSync(codexHome).filter((name) => /\.sqlite(-wal)?$/.test(name)) : [];
}

/** The name must not be on the disk before what it names. */
function synced(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
