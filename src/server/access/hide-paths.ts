/**
 * Guests get no path of the machine: in every answer and frame for them, the machine's folders are replaced. This is the
 * last step before the wire, because errors, results and agents can name a folder anywhere in a text.
 */
import { createMiddleware } from 'hono/factory';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { localTenant } from '../../access/speaker.ts';
import { stateBases } from '../../system/state-base.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { packageFolder } from '../../system/package-folder.ts';

/** Returns how a tenant may see a text; null for the owner, who sees it as it is. */
export type PathHider = (tenant: string) => ((text: string) => string) | null;

export interface MachineFolders {
  /** The served folder. */
  readonly cwd: string;
  /** The folder of its runs. */
  readonly home: string;
  /** Files of the owner that the server runs or obeys: scripts, settings, programs. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables that name a folder of the server's user. */
const folderVariables = [
  'HOME',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'CODEX_HOME',
  'CLAUDE_CONFIG_DIR',
  'TMPDIR',
];

export function createPathHider({ cwd, home, files, env }: MachineFolders): PathHider {
  const variables = folderVariables.map((name) => env[name] ?? '');
  const folders = [cwd, home, homedir(), tmpdir(), packageFolder(), ...stateBases({ env }), ...variables];
  // A folder comes before the one above it.
  const paths = [...placesOf(files).map(patternOf), ...placesOf(folders).flatMap(patternsOfFolder)];
  const beginning = `${separator}(?<=${border}${separator})|(?=[A-Za-z]:)(?<=${border})`;
  const pattern = new RegExp(
    `(?:(?:${beginning})(?:${paths.join('|')})|${scriptPatterns.join('|')})${endOfName}`,
    'g',
  );
  const hide = (text: string): string => text.replace(pattern, hiddenFolder);
  return (tenant) => (tenant === localTenant ? null : hide);
}

const hiddenFolder = '…';

/** Returns each absolute path and the place that it leads to, the longest first. */
function placesOf(paths: readonly string[]): readonly string[] {
  const absolute = paths.filter((path) => isAbsolute(path));
  return [...new Set(absolute.flatMap((path) => [path, realPlace(path)]))].toSorted(
    (one, other) => other.length - one.length,
  );
}

/**
 * Returns the patterns of a folder. One at the root, such as `/tmp` or `/app`, keeps its name, which reveals nothing and may
 * be in the change under review: only collab's own files in it are replaced.
 */
function patternsOfFolder(folder: string): readonly string[] {
  const ours = `${patternOf(folder)}${separators}(?:collab-[\\w.-]+|\\.collab)`;
  const depth = partsOf(folder).length;
  if (depth === 0) return [];
  return depth === 1 ? [ours] : [ours, patternOf(folder)];
}

/** Also in the text of JSON, in HTML and in an address, which escape it. */
const separator = String.raw`(?:[/\\]|%2[fF]|u002[fF]|&#(?:47|x2[fF]);)`;
/** `//` and `/./` lead to the same place as `/`. */
const separators = String.raw`${separator}+(?:\.${separator}+)*`;
/** Before a path: nothing of a longer path; possibly the end of an escape, the host of an address, or an option such as `-I`. */
const border = String.raw`(?:^|[^A-Za-z0-9.~-]|\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m|(?<!https?):\/\/[\w.@:-]{1,99})(?:-{1,2}(?:[A-Za-z]|i[a-z]{1,12})?)?`;
const endOfName = '(?![A-Za-z0-9]|[_-][A-Za-z0-9])';

function patternOf(path: string): string {
  return partsOf(path).map(patternOfName).join(separators);
}

function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '');
}

/** Returns the pattern of a name in its spellings: as it is, in the text of JSON, in an address, and in a command. */
function patternOfName(name: string): string {
  const spellings = [name, JSON.stringify(name).slice(1, -1), encodeURIComponent(name), encodeURI(name)];
  const inCommand = escaped(name).replaceAll(' ', String.raw`\\{1,2} `);
  return `(?:${[...new Set([...spellings.map(escaped), inCommand])].join('|')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

const root = String.raw`(?:/|[A-Za-z]:\\)`;
/** The script of an earlier server: a result names it as the model of a rehearsal. */
const scriptPatterns = [
  String.raw`${root}(?<="model":"${root})(?:[^"\\]|\\.)*(?=")`,
  String.raw`${root}(?<=\brehearsal:${root})(?:[^\s"'\`,;)\\]|\\[^nrt"])*`,
];

/** Replaces folders in what a route answers to a guest. Frames of runs' streams are written past it. */
export function hidePathsInAnswers(hidePaths: PathHider) {
  return createMiddleware<{ Variables: { tenant?: string } }>(async (context, next) => {
    await next();
    const { res } = context;
    // Without a tenant, the request was refused before it had one.
    const hide = hidePaths(context.var.tenant ?? '');
    if (hide === null || res.body === null) return;
    const isStream = res.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const body = isStream ? res.body.pipeThrough(hidingFrames(hide)) : hide(await res.text());
    context.res = new Response(body, { status: res.status, headers: res.headers });
  });
}

/** A path may be cut anywhere on its way, but no frame of an event stream has a part of one. */
function hidingFrames(hide: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let begun = '';
  return new TransformStream({
    transform(bytes, controller) {
      begun += decoder.decode(bytes, { stream: true });
      const end = begun.lastIndexOf('\n\n');
      if (end === -1) return;
      controller.enqueue(encoder.encode(hide(begun.slice(0, end + 2))));
      begun = begun.slice(end + 2);
    },
    flush(controller) {
      const rest = begun + decoder.decode();
      if (rest !== '') controller.enqueue(encoder.encode(hide(rest)));
    },
  });
}
