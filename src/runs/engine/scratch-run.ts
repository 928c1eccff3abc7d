/** A throw-away copy of a submitted run, for one drive of it on this machine. The database has the run itself. */
import { join } from 'node:path';
import { takeLock, type RunLock } from '../../engine/lock/lock.ts';
import type { RunRow } from '../../engine/postgres/run-rows.ts';
import type { TreeRows } from '../../engine/postgres/tree-rows.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { unpackFolder, type UnpackedFolder } from '../../git/review-folder/pack-folder.ts';
import { unpackCopy, type LaterState } from '../../git/working-copy/travel.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import { stateBase } from '../../system/state-base.ts';
import { scratchFiles } from '../folder/state-folder.ts';
import { openRun, type OpenedRun } from '../folder/opened-run.ts';
import { plainId } from '../folder/run-folder.ts';
import { writeRunInput } from '../folder/run-input.ts';
import { readPortable } from './portable-input.ts';

export interface ScratchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The files of the run; null to leave them out. */
  readonly trees: TreeRows | null;
  /** This machine's own settings of providers, by `<provider>.<key>`. Default: none. */
  readonly providerSettings?: Readonly<Record<string, string>>;
  /** Returns the states that the run has made of its copy. Default: none. */
  readonly made?: () => Promise<readonly LaterState[]>;
}

/** @throws CollabError `journal_corrupt`, `input`, `state_folder` */
export async function withScratchRun<Result>(
  row: RunRow,
  { env, trees, providerSettings = {}, made = () => Promise.resolve([]) }: ScratchOptions,
  use: (run: OpenedRun) => Promise<Result>,
): Promise<Result> {
  const parent = makeTemporaryFolder('collab-run-');
  let files: UnpackedFolder | null = null;
  let lock: RunLock | null = null;
  try {
    const root = join(parent, scratchFiles);
    const path = join(parent, plainId(row.runId));
    // Other runs on this machine remove what a run without an owner left.
    lock = await takeLock(path);
    const input = writeRunInput(path, readPortable(row.input, { cwd: parent, root, providerSettings }));
    if (row.tree !== null && trees !== null) {
      if (input.kind === 'workflow')
        await unpackCopy(await readParts(trees.get(row.tree)), await made(), {
          root,
          runFolder: path,
          runId: row.runId,
          env,
        });
      else files = await unpackFolder(trees.get(row.tree), { root, base: baseOf(env) });
    }
    return await use(openRun({ runId: row.runId, path }, { input }));
  } finally {
    await files?.remove();
    try {
      await removeTree(parent);
    } finally {
      // Another process that takes the free lock removes the folder, too.
      await lock?.release();
    }
  }
}

export async function readParts(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read);
}

/** The folder of all private folders. @throws CollabError `state_folder` */
export function baseOf(env: ScratchOptions['env']): string {
  const base = stateBase({ env });
  if (base !== null) return base;
  throw new CollabError('state_folder', 'There is no private folder outside every git repository', {
    hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
  });
}
