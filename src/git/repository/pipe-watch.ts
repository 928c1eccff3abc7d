/**
 * Git opens ignore files, attributes, refs and objects whatever their kind, and waits for the writer of a pipe. If git takes
 * long, this looks for such a pipe, and whether a process waits for it: git may only be slow. Looking first would mean a
 * walk of the whole tree before each call.
 */
import { closeSync, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { allDone } from '../../system/all-done.ts';
import { kindInWords } from '../../system/files/fault.ts';
import { openReadPipe } from '../../system/files/write-named.ts';
import { findRepository } from './find-root.ts';
import { findObjectFolders } from './object-folders.ts';

interface PipeWatchOptions {
  /** The folders whose files git may open. */
  readonly roots: readonly string[];
  /** True while git only waits for its input. */
  readonly isIdle: () => boolean;
  readonly signal: AbortSignal | undefined;
  /** How long git may take before the search. Default 3000. */
  readonly patienceMs?: number;
}

export interface PipeWatch {
  /** Aborts with the caller's signal, and when git waits for a pipe. */
  readonly signal: AbortSignal;
  /** The pipe that git waits for; null if none was found. */
  readonly found: () => CollabError | null;
  readonly close: () => void;
}

const usualPatienceMs = 3000;

/** Starts to watch a call of git; the caller closes the watch when git has ended. */
export function watchForPipe({
  roots,
  isIdle,
  signal,
  patienceMs = usualPatienceMs,
}: PipeWatchOptions): PipeWatch {
  const ended = new AbortController();
  const stop = new AbortController();
  let found: CollabError | null = null;
  let timer: NodeJS.Timeout | undefined;
  let held: number | null = null;
  let pipes: readonly FoundPipe[] | null = null;
  const look = async (): Promise<void> => {
    pipes ??= (await allDone(roots.map((root) => findPipes(root, ended.signal)))).flat();
    if (ended.signal.aborted || pipes.length === 0) return;
    for (const pipe of pipes) {
      const wait = waitAt(pipe);
      if (wait === null) continue;
      held = wait.descriptor;
      found = pipeError(pipe);
      return stop.abort();
    }
    arm();
  };
  const arm = (): void => {
    // If the walk fails, git continues within its limit.
    timer = setTimeout(() => (isIdle() ? arm() : void look().catch(() => undefined)), patienceMs);
  };
  arm();
  return {
    signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    found: () => found,
    close() {
      clearTimeout(timer);
      ended.abort();
      if (held !== null) closeSync(held);
      held = null;
    },
  };
}

interface FoundPipe {
  readonly root: string;
  readonly path: string;
  readonly facts: Stats;
}

interface Wait {
  /** Keeps the reader waiting until it is closed; null for a device. */
  readonly descriptor: number | null;
}

/** Returns null if no process waits for the pipe. A device, and a pipe that cannot be tried, count as waited for. */
function waitAt({ path, facts }: FoundPipe): Wait | null {
  if (!facts.isFIFO()) return { descriptor: null };
  try {
    const descriptor = openReadPipe(path);
    return descriptor === null ? null : { descriptor };
  } catch {
    return { descriptor: null };
  }
}

function pipeError({ root, path, facts }: FoundPipe): CollabError {
  const way = relative(root, path);
  const name = isAbsolute(way) || way.split(sep)[0] === '..' ? path : way;
  return new CollabError('input', `git waits for ${name}, which is ${kindInWords(facts)}`, {
    hint: 'Remove it, or put a regular file in its place.',
    details: { file: name },
  });
}

/**
 * For files that git reads at every call, where looking first is cheap.
 * @throws CollabError `input` if the file is a pipe or a device that may never end
 */
export async function refusePipe(path: string, root: string): Promise<void> {
  const facts = await stat(path).catch(() => null);
  if (facts !== null && (await mayNeverEnd(facts))) throw pipeError({ root, path, facts });
}

interface Folder {
  readonly path: string;
  /** In a folder of git's own, every name counts, and git follows links to folders. */
  readonly isGits: boolean;
}

/** Files of the work tree that git opens by their names. */
const opened = new Set(['.gitignore', '.gitattributes', '.gitmodules', '.mailmap']);

/** Finds the files that git would wait for. Ends early when the signal aborts: git has ended by itself. */
export async function findPipes(root: string, signal: AbortSignal): Promise<readonly FoundPipe[]> {
  const pipes: FoundPipe[] = [];
  const gits = await foldersOfGit(root);
  const folders: Folder[] = [...gits, { path: root, isGits: false }];
  const known = new Set(gits.map(({ path }) => path));
  // Grows while it is walked.
  for (const at of folders) {
    if (signal.aborted) return pipes;
    for (const entry of await readdir(at.path, { withFileTypes: true }).catch(() => [])) {
      const path = join(at.path, entry.name);
      const isGits = at.isGits || entry.name === '.git';
      if (entry.isDirectory()) {
        if (!known.has(path)) folders.push({ path, isGits });
      } else if (!entry.isFile() && (isGits || opened.has(entry.name))) {
        const facts = await stat(path).catch(() => null);
        if (facts !== null && (await mayNeverEnd(facts))) pipes.push({ root, path, facts });
        const target = isGits && facts?.isDirectory() === true ? await realpath(path) : null;
        if (target === null || known.has(target)) continue;
        known.add(target);
        folders.push({ path: target, isGits });
      }
    }
  }
  return pipes;
}

/** The folders of a linked worktree and borrowed objects are elsewhere. */
async function foldersOfGit(root: string): Promise<readonly Folder[]> {
  const repository = await findRepository(root);
  if (repository === null) return [];
  const { gitDir, commonDir } = repository;
  const paths = new Set([gitDir, commonDir, ...(await findObjectFolders(join(commonDir, 'objects')))]);
  return [...paths].map((path) => ({ path, isGits: true }));
}

/** Returns true for a pipe or a device, except the empty one. A socket cannot be opened. */
async function mayNeverEnd(facts: Stats): Promise<boolean> {
  if (facts.isFIFO()) return true;
  return facts.isCharacterDevice() && facts.rdev !== (await stat(devNull)).rdev;
}
