/**
 * Reads objects through one `git cat-file --batch`, which starts with the first request and ends with the reader. It
 * runs no filter. Uses `--batch` because `--batch-command` needs git 2.36.
 */
import { PassThrough } from 'node:stream';
import type { RunInView } from './git-view.ts';

export interface ObjectReader {
  /** Returns the id of the object that a name refers to, such as `main^{commit}`; null if there is no such object. */
  id(name: string): Promise<string | null>;
  /** Returns the contents of blobs, in the given order; null for one that cannot be read. */
  blobs(ids: readonly string[]): Promise<readonly (Buffer | null)[]>;
  /** Returns the entries of trees, in the given order; null for a name that is not that of a tree. */
  trees(names: readonly string[]): Promise<readonly (readonly ObjectEntry[] | null)[]>;
  /** Ends git. The reader may be used again. */
  close(): Promise<void>;
}

export interface ObjectEntry {
  readonly name: string;
  readonly id: string;
  /** As git writes it: `100644`, `120000` for a link, `folderMode`. */
  readonly mode: string;
}

export const folderMode = '40000';

interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

interface Question {
  readonly name: string;
  readonly answer: (object: GitObject | null) => void;
  readonly fail: (error: unknown) => void;
}

export function createObjectReader(run: RunInView): ObjectReader {
  let started: { readonly input: PassThrough; readonly ended: Promise<void> } | null = null;
  let open: Question[] = [];

  const start = () => {
    const input = new PassThrough();
    const parser = createParser((object) => open.shift()?.answer(object));
    const ended = run(['cat-file', '--batch'], {
      input,
      maxOutputBytes: 0,
      onStdoutChunk: parser,
      isIdle: () => open.length === 0,
    }).then(goOn, giveUp);
    return { input, ended };
  };
  /** Git ended by itself, because of the first pending request: a name can do that. The others are sent again. */
  const goOn = (): void => {
    started = null;
    open.shift()?.answer(null);
    const others = open;
    open = [];
    for (const question of others) ask(question);
  };
  const giveUp = (error: unknown): void => {
    started = null;
    const others = open;
    open = [];
    for (const { fail } of others) fail(error);
  };
  const ask = (question: Question): void => {
    started ??= start();
    open.push(question);
    started.input.write(`${question.name}\n`);
  };
  const read = (name: string): Promise<GitObject | null> =>
    new Promise((answer, fail) => {
      // Each request is one line.
      if (/[\n\0]/.test(name) || name === '') answer(null);
      else ask({ name, answer, fail });
    });
  return {
    id: async (name) => (await read(name))?.id ?? null,
    async blobs(ids) {
      const objects = await Promise.all(ids.map(read));
      return objects.map((object) => (object?.type === 'blob' ? object.content : null));
    },
    async trees(names) {
      const objects = await Promise.all(names.map(read));
      return objects.map((object) => (object?.type === 'tree' ? parseTree(object) : null));
    },
    async close() {
      const last = started;
      last?.input.end();
      await last?.ended;
    },
  };
}

/** Parses `<mode> <name>\0<id as bytes>`, repeated. */
function parseTree({ id, content }: GitObject): readonly ObjectEntry[] {
  const idBytes = id.length / 2;
  const entries: ObjectEntry[] = [];
  for (let start = 0; start < content.length;) {
    const space = content.indexOf(' ', start);
    const end = content.indexOf(0, space);
    if (space === -1 || end === -1) break;
    const next = end + 1 + idBytes;
    entries.push({
      mode: content.toString('latin1', start, space),
      name: content.toString('utf8', space + 1, end),
      id: content.toString('hex', end + 1, next),
    });
    start = next;
  }
  return entries;
}

/** Parses `<id> <type> <size>\n<content>\n`, and one line for what cannot be read: `<name> missing`. */
function createParser(found: (object: GitObject | null) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let length = 0;
  /** The object whose content is awaited. */
  let head: { readonly id: string; readonly type: string; readonly size: number } | null = null;
  const joined = (): Buffer => {
    const [only] = chunks;
    const all = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (all: Buffer, count: number): void => {
    const rest = all.subarray(count);
    chunks = rest.length === 0 ? [] : [rest];
    length = rest.length;
  };
  /** Returns false if it needs more bytes. */
  const take = (): boolean => {
    if (head !== null) {
      if (length < head.size + 1) return false;
      const all = joined();
      const { id, type, size } = head;
      // A copy, so that a small object does not hold the memory of its neighbors.
      const content = Buffer.from(all.subarray(0, size));
      head = null;
      drop(all, size + 1);
      found({ id, type, content });
      return true;
    }
    if (length === 0) return false;
    const all = joined();
    const end = all.indexOf('\n');
    if (end === -1) return false;
    const line = all.toString('latin1', 0, end);
    const [, id, type, size] = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? [];
    drop(all, end + 1);
    if (id === undefined || type === undefined) found(null);
    else head = { id, type, size: Number(size) };
    return true;
  };
  return (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    while (take());
  };
}
