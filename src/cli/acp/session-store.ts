/**
 * Sessions of editors, as files that outlive the server: the prompts of each, and the runs that they started. No repository can
 * bring one: they are in the state folder.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { sessionsFolder } from '../../runs/folder/state-folder.ts';
import { newRunId } from '../../runs/folder/run-folder.ts';
import type { Clock } from '../../system/clock.ts';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { factsOf, namesIn, readIfThere } from '../../system/files/read.ts';
import { openToAppend } from '../../system/files/write.ts';
import { isPrivate, stateBase, stateBases, type StateBaseOptions } from '../../system/state-base.ts';
import { parseJson } from '../../text/parse-json.ts';
import { titleOf } from '../../text/title-of.ts';

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), v: z.literal(1), cwd: z.string(), at: z.iso.datetime() }),
  /** Masked. */
  z.object({ kind: z.literal('prompt'), at: z.iso.datetime(), text: z.string() }),
  z.object({ kind: z.literal('run'), run: z.string() }),
  /** An answer without a run, such as a refusal. */
  z.object({ kind: z.literal('said'), text: z.string() }),
]);
export type SessionEntry = Exclude<z.infer<typeof entrySchema>, { kind: 'session' }>;

export interface StoredSession {
  readonly id: string;
  readonly cwd: string;
  readonly entries: readonly SessionEntry[];
  readonly title: string | null;
  /** Unix time of the last entry. */
  readonly changedMs: number;
}

export function newSessionId(clock: Clock): string {
  return newRunId(clock);
}

/** Appends durably; the first entry creates the file. @throws CollabError `state_folder`, `input`, `file` */
export function appendEntry(
  options: StateBaseOptions & { readonly clock: Clock },
  { id, cwd }: Pick<StoredSession, 'id' | 'cwd'>,
  entry: SessionEntry,
): void {
  const file = fileOf(options, id) ?? newFile(options, id);
  const isNew = factsOf(file) === null;
  const head = { kind: 'session', v: 1, cwd, at: new Date(options.clock.now()).toISOString() };
  const lines = [...(isNew ? [head] : []), entry].map((line) => `${JSON.stringify(line)}\n`).join('');
  const opened = openToAppend(file);
  try {
    // A line that a kill or a full disk cut off does not run into this one.
    opened.append(isNew || readIfThere(file)?.endsWith('\n') === true ? lines : `\n${lines}`);
    opened.sync();
  } finally {
    opened.close();
  }
}

/** Returns null if there is no such session. */
export function readStoredSession(options: StateBaseOptions, id: string): StoredSession | null {
  const file = fileOf(options, id);
  const text = file === null ? null : readIfThere(file);
  if (file === null || text === null) return null;
  const lines = text.split('\n').flatMap((line) => {
    const parsed = entrySchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
  const [head] = lines;
  if (head?.kind !== 'session') return null;
  const entries = lines.filter((line) => line.kind !== 'session');
  const first = entries.find((entry) => entry.kind === 'prompt');
  return {
    id,
    cwd: head.cwd,
    entries,
    title: first === undefined ? null : titleOf(first.text),
    changedMs: Math.round(factsOf(file)?.mtimeMs ?? 0),
  };
}

export interface SessionPage {
  readonly sessions: readonly StoredSession[];
  /** Names the next page; null if there is none. */
  readonly next: string | null;
}

const pageSize = 50;

/** Lists the sessions, the last changed first. @throws CollabError `usage` for a cursor that is none */
export function listSessions(
  options: StateBaseOptions,
  { cwd, after }: { readonly cwd?: string | undefined; readonly after?: string | undefined },
): SessionPage {
  const mark = after === undefined ? null : markOf(after);
  const all = foldersOf(options)
    .flatMap((folder) => namesIn(folder).map((name) => ({ name, file: join(folder, name) })))
    .flatMap(({ name, file }) => {
      const id = idOf(name);
      return id === null ? [] : [{ id, changedMs: Math.round(factsOf(file)?.mtimeMs ?? 0) }];
    })
    .toSorted(newestFirst)
    .filter((each) => mark === null || newestFirst(mark, each) < 0);
  const sessions: StoredSession[] = [];
  for (const { id } of all) {
    const session = readStoredSession(options, id);
    if (session === null || (cwd !== undefined && session.cwd !== cwd)) continue;
    if (sessions.length === pageSize) {
      const last = sessions.at(-1);
      return { sessions, next: last === undefined ? null : `${last.changedMs}.${last.id}` };
    }
    sessions.push(session);
  }
  return { sessions, next: null };
}

interface Mark {
  readonly id: string;
  readonly changedMs: number;
}

function newestFirst(one: Mark, other: Mark): number {
  return other.changedMs - one.changedMs || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

function markOf(cursor: string): Mark {
  const [, changed, id] = /^(\d+)\.([\w-]+)$/.exec(cursor) ?? [];
  if (changed !== undefined && id !== undefined) return { id, changedMs: Number(changed) };
  throw new CollabError('usage', 'the cursor is not from a list of sessions', {
    hint: 'Send the nextCursor of the page before, or none.',
  });
}

const ending = '.jsonl';

function idOf(name: string): string | null {
  return name.endsWith(ending) ? name.slice(0, -ending.length) : null;
}

/** An id comes from outside: only a plain name is one. */
function fileOf(options: StateBaseOptions, id: string): string | null {
  if (!/^\w[\w-]{0,99}$/.test(id)) return null;
  const files = foldersOf(options).map((folder) => join(folder, id + ending));
  return files.find((file) => factsOf(file) !== null) ?? null;
}

function foldersOf(options: StateBaseOptions): readonly string[] {
  return stateBases(options)
    .map((base) => join(base, sessionsFolder))
    .filter((folder) => lookAt(folder)?.isDirectory() === true && isPrivate(folder));
}

function newFile(options: StateBaseOptions, id: string): string {
  const base = stateBase(options);
  if (base === null) {
    throw new CollabError('state_folder', 'No private folder outside every git repository for the session', {
      hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
    });
  }
  const folder = join(base, sessionsFolder);
  makeFolder(folder);
  return join(folder, id + ending);
}
