/** Run folders: `.collab/runs/<run>/` of the working folder; `COLLAB_HOME` moves `.collab`. */
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { orNull } from '../../errors/has-code.ts';
import { nearest } from '../../text/nearest.ts';
import type { Clock } from '../../system/clock.ts';
import { isInside } from '../../system/is-inside.ts';
import { kindInWords, lookAt, oddKind } from '../../system/files/fault.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeNew } from '../../system/files/write.ts';

export interface RunFolder {
  readonly runId: string;
  readonly path: string;
}

/** Rejects an id that is not a plain name: as a path, it would lead elsewhere. @throws CollabError `input` */
export function plainId(runId: string): string {
  if (/^\w[\w.-]*$/.test(runId)) return runId;
  throw new CollabError('input', `Not the id of a run: ${JSON.stringify(runId)}`);
}

export interface HomeOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the folder that contains `runs/`, below the real path of the folder that the user names. Does not create it.
 * @throws CollabError `options` for a folder in the repository that is not in a `.collab`
 */
export function collabHome({ cwd, env }: HomeOptions): string {
  const moved = env['COLLAB_HOME'];
  const home = moved === undefined || moved === '' ? join(cwd, '.collab') : resolve(cwd, moved);
  const real = join(realPlace(dirname(home)), basename(home));
  refuseInRepository(real, realPlace(cwd));
  return real;
}

/**
 * Our `.gitignore` would hide the user's new files from git in such a folder, and our runs would be new files of each later
 * change: only `.collab` is never part of one.
 */
function refuseInRepository(home: string, cwd: string): void {
  const top = repositoryAround(cwd);
  if (top === null || !isInside(home, top) || relative(top, home).split(sep).includes('.collab')) return;
  throw new CollabError('options', `COLLAB_HOME is ${home}, which is in the repository ${top}`, {
    hint: 'Name a folder outside of it, or one with the name .collab.',
    details: { home, repository: top },
  });
}

/** Looks for the name alone: git is not asked before it is known whether this is the user's repository. */
function repositoryAround(folder: string): string | null {
  if (lookAt(join(folder, '.git')) !== null) return folder;
  const above = dirname(folder);
  return above === folder ? null : repositoryAround(above);
}

/**
 * Creates the folder of a new run, mode 0700, and keeps the home out of git. Does not reuse an id that is taken.
 * @throws CollabError `input`
 */
export function createRunFolder(home: string, clock: Clock, wantedId: string = newRunId(clock)): RunFolder {
  makeHome(home);
  for (let runId = wantedId; ; runId = newRunId(clock)) {
    const path = join(home, 'runs', runId);
    if (makeFolder(path)) return { runId, path };
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

/** A run exists as soon as its input does; its journal starts with the first drive. */
const begun = ['input.json', 'journal.jsonl'];

/**
 * Lists the newest first: an id contains the second, and within a second the file that is written first shows the
 * order.
 */
export function listRuns(home: string): readonly RunFolder[] {
  const runs = join(home, 'runs');
  const facts = lookAt(runs);
  if (facts === null) return [];
  if (!facts.isDirectory() && !facts.isSymbolicLink()) throw oddKind(runs, kindInWords(facts) ?? 'a file');
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
 * Finds a run by its id, the start or end of its id, or `latest`.
 *
 * @throws CollabError `run_not_found` naming the nearest match, or all possible matches
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
  return chooseRun(runs, wanted, 'collab runs lists them.');
}

/** `hint` says how to list the runs, newest first. @throws CollabError `run_not_found` */
export function chooseRun(runs: readonly RunFolder[], wanted: string, hint: string): RunFolder {
  const fitting = wanted === 'latest' ? runs.slice(0, 1) : fittingRuns(runs, wanted);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  throw notFound(wanted, fitting.length > 0 ? fitting : runs, hint);
}

/** Returns the run of this id, otherwise all whose ids begin or end so. */
function fittingRuns(runs: readonly RunFolder[], wanted: string): readonly RunFolder[] {
  const exact = runs.find(({ runId }) => runId === wanted);
  if (exact !== undefined) return [exact];
  return runs.filter(({ runId }) => runId.startsWith(wanted) || runId.endsWith(wanted));
}

export function resultFile(runFolder: string): string {
  return join(runFolder, 'result.json');
}

/** Omits letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Creates the folder of all runs, or of all conversations, and keeps the home out of git. @throws CollabError `input`
 * for links, `file`
 */
export function makeHome(home: string, kind: 'runs' | 'conversations' = 'runs'): void {
  for (const folder of [home, join(home, kind)]) {
    refuseLink(folder, kind);
    makeFolder(folder);
  }
  keepOutOfGit(join(home, '.gitignore'));
}

/** A repository may contain a `.collab` that leads out of it. */
function refuseLink(folder: string, kind: string): void {
  if (lookAt(folder)?.isSymbolicLink() !== true) return;
  throw new CollabError('input', `${folder} is a link; ${kind} are not written through links`, {
    hint: 'Name the real folder with COLLAB_HOME.',
    details: { folder },
  });
}

/**
 * Keeps an existing file, which belongs to its owner, unless it is not a regular file: git does not follow a link
 * there, and neither do we.
 */
function keepOutOfGit(ignore: string): void {
  if (readIfThere(ignore) !== null) return;
  // Another process that writes it at the same moment writes the same.
  orNull(() => writeNew(ignore, '*\n'), 'EEXIST');
}

/** The most runs that an error names. */
const namedRuns = 5;

function notFound(wanted: string, candidates: readonly RunFolder[], hint: string): CollabError {
  const ids = candidates.map(({ runId }) => runId);
  const several = fittingRuns(candidates, wanted).map(({ runId }) => runId);
  if (several.length > 1) {
    const named = several.slice(0, namedRuns);
    const others = several.length - named.length;
    const list = [...named, ...(others > 0 ? [`one of ${others} others`] : [])].join(' or ');
    return new CollabError('run_not_found', `${wanted} could be ${list}`, {
      hint,
      details: { wanted, candidates: several },
    });
  }
  const near = nearest(wanted, ids);
  const offer = near === null ? `the newest is ${ids[0]}` : `the nearest is ${near}`;
  return new CollabError('run_not_found', `There is no run ${wanted}; ${offer}`, {
    hint,
    details: { wanted, nearest: near ?? ids[0] },
  });
}
