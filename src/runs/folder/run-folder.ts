/** Where runs lie: `.collab/runs/<run>/` of the working folder; `COLLAB_HOME` moves `.collab`. */
import { randomInt } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import type { Clock } from '../../system/clock.ts';
import { syncFolder, writeSynced } from '../../system/durable-file.ts';

export interface RunFolder {
  readonly runId: string;
  readonly path: string;
}

export interface HomeOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The folder that holds `runs/`. Not made here. */
export function collabHome({ cwd, env }: HomeOptions): string {
  const moved = env['COLLAB_HOME'];
  return moved === undefined || moved === '' ? join(cwd, '.collab') : resolve(cwd, moved);
}

/** Makes the folder of a new run, mode 0700, and keeps the home out of git. An id that is taken is left. @throws CollabError `input` */
export function createRunFolder(home: string, clock: Clock, wantedId: string = newRunId(clock)): RunFolder {
  makeHome(home);
  for (let runId = wantedId; ; runId = newRunId(clock)) {
    const path = join(home, 'runs', runId);
    if (existsSync(path)) continue;
    mkdirSync(path, { mode: 0o700 });
    return { runId, path };
  }
}

/** `20261121-093005-x7k2`: UTC, sorts by time. */
export function newRunId(clock: Clock): string {
  const [day = '', time = ''] = new Date(clock.now())
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')
    .split('T');
  const mark = Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${day}-${time}-${mark}`;
}

/** A run is there as soon as its input is; its journal begins when somebody drives it. */
const begun = ['input.json', 'journal.jsonl'];

/** The newest first: an id tells the second, and the file that is written first which of that second was earlier. */
export function listRuns(home: string): readonly RunFolder[] {
  const runs = join(home, 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .filter((name) => begun.some((file) => existsSync(join(runs, name, file))))
    .map((runId) => ({ runId, path: join(runs, runId) }))
    .toSorted(newestFirst);
}

function newestFirst(one: RunFolder, other: RunFolder): number {
  const ids = one.runId < other.runId ? 1 : -1;
  if (secondOf(one) !== secondOf(other)) return ids;
  return begunAt(other) - begunAt(one) || ids;
}

function secondOf({ runId }: RunFolder): string {
  return runId.slice(0, '20261121-093005'.length);
}

function begunAt({ path }: RunFolder): number {
  return statSync(join(path, 'input.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * A run by its id, the beginning or the end of its id, or `latest`.
 *
 * @throws CollabError `run_not_found` naming the nearest, or all that it could be
 */
export function resolveRun(home: string, wanted = 'latest'): RunFolder {
  const runs = listRuns(home);
  const [newest] = runs;
  if (newest === undefined) {
    throw new CollabError('run_not_found', `There is no run in ${home}`, {
      hint: 'collab review starts one.',
      details: { home },
    });
  }
  if (wanted === 'latest') return newest;
  const exact = runs.find(({ runId }) => runId === wanted);
  if (exact !== undefined) return exact;
  const fitting = runs.filter(({ runId }) => runId.startsWith(wanted) || runId.endsWith(wanted));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  throw notFound(wanted, fitting.length > 0 ? fitting : runs);
}

export function resultFile(runFolder: string): string {
  return join(runFolder, 'result.json');
}

/** Whole or not at all, for whoever reads `path` meanwhile. */
export function writeAtomically(path: string, text: string): void {
  const folder = dirname(path);
  const unfinished = join(folder, `.${basename(path)}.${process.pid}.${randomInt(2 ** 47)}`);
  try {
    writeSynced(unfinished, text);
    renameSync(unfinished, path);
    syncFolder(folder);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Without the letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** The folder of all runs, or of all conversations; the home is kept out of git. @throws CollabError `input` for links */
export function makeHome(home: string, kind: 'runs' | 'conversations' = 'runs'): void {
  for (const folder of [home, join(home, kind)]) {
    refuseLink(folder, kind);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const ignore = join(home, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { mode: 0o600 });
}

/** A repository may bring a `.collab` that leads out of it. */
function refuseLink(folder: string, kind: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new CollabError('input', `${folder} is a link; ${kind} are not written through links`, {
    hint: 'Name the real folder with COLLAB_HOME.',
    details: { folder },
  });
}

function notFound(wanted: string, candidates: readonly RunFolder[]): CollabError {
  const ids = candidates.map(({ runId }) => runId);
  const several = ids.filter((runId) => runId.startsWith(wanted) || runId.endsWith(wanted));
  if (several.length > 1) {
    return new CollabError('run_not_found', `${wanted} could be ${several.join(' or ')}`, {
      details: { wanted, candidates: several },
    });
  }
  const near = nearest(wanted, ids);
  const offer = near === null ? `the newest is ${ids[0]}` : `the nearest is ${near}`;
  return new CollabError('run_not_found', `There is no run ${wanted}; ${offer}`, {
    hint: 'collab runs lists them.',
    details: { wanted, nearest: near ?? ids[0] },
  });
}
