import { isAbsolute } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cutToWidth, displayWidth } from '../../text/display-width.ts';
import { onOneLine } from '../../text/one-line.ts';
import { neutralise } from '../../text/neutralise.ts';
import { pathWithin } from '../../system/is-inside.ts';

export interface ToolLineOptions {
  /** Paths inside it are shown relative to it (X000-6). */
  readonly cwd: string;
  readonly ascii: boolean;
}

export interface ToolText {
  readonly tool: string;
  readonly content: string;
}

/** Columns of a command, a pattern or a query (X000-4). */
const contentColumns = 60;
/** Paths and addresses are kept whole as far as a line allows: users copy them. */
const placeColumns = 200;
const unknownResultColumns = 80;

/** Renders the line for a tool call (R000-16 … R000-24, X000-5). */
export function describeUse({ tool, content }: ToolText, { cwd, ascii }: ToolLineOptions): string {
  const look = looks.get(tool);
  if (look === undefined) {
    const name = onOneLine(neutralise(tool));
    const said = shortText(content);
    return `${ascii ? '[tool]' : '🔧'} ${said === '' ? name : `${name}: ${said}`}`;
  }
  const argument = look.argument(content, cwd);
  return `${ascii ? look.word : look.emoji} ${look.verb}${argument}`.trimEnd();
}

/** Summarizes a tool's output; null if nothing is shown. */
export function describeResult({ tool, content }: ToolText): string | null {
  const look = looks.get(tool);
  const output = neutralise(stripVTControlCharacters(content));
  return look === undefined ? inlineResult(output) : look.result(output);
}

interface Look {
  readonly emoji: string;
  /** Replaces the emoji under `--ascii`. */
  readonly word: string;
  readonly verb: string;
  readonly argument: (content: string, cwd: string) => string;
  readonly result: (output: string) => string | null;
}

const edit: Look = {
  emoji: '✏️',
  word: '[edit]',
  verb: 'Editing ',
  argument: pathFrom,
  result: () => 'File updated',
};
const search: Look = {
  emoji: '🔍',
  word: '[search]',
  verb: 'Searching for: ',
  argument: shortText,
  result: (output) => `Found ${countMatches(output)} matches`,
};
const looks: ReadonlyMap<string, Look> = new Map(
  Object.entries({
    Bash: { emoji: '🔧', word: '[bash]', verb: '', argument: shortText, result: commandResult },
    Read: {
      emoji: '📖',
      word: '[read]',
      verb: 'Reading ',
      argument: pathFrom,
      result: (output) => `Read ${lineCount(output.replace(/\n$/, ''))} lines`,
    },
    Edit: edit,
    MultiEdit: edit,
    NotebookEdit: edit,
    Write: { ...edit, result: () => 'File written' },
    LS: {
      emoji: '📁',
      word: '[ls]',
      verb: 'ls ',
      argument: pathFrom,
      result: (output) => `Found ${itemCount(output)} items`,
    },
    Search: search,
    Grep: search,
    Glob: search,
    TodoRead: {
      emoji: '📋',
      word: '[todo]',
      verb: 'Reading todos',
      argument: () => '',
      result: (output) => `${itemCount(output)} todos`,
    },
    TodoWrite: {
      emoji: '📝',
      word: '[todo]',
      verb: 'Updating todos',
      argument: () => '',
      result: () => 'Todos updated',
    },
    WebSearch: {
      emoji: '🔍',
      word: '[web]',
      verb: 'Searching: ',
      argument: shortText,
      result: () => null,
    },
    WebFetch: { emoji: '🌐', word: '[web]', verb: 'Fetching: ', argument: address, result: () => null },
    Task: { emoji: '🤖', word: '[task]', verb: 'Task: ', argument: shortText, result: inlineResult },
  } satisfies Readonly<Record<string, Look>>),
);

function shortText(content: string): string {
  return cutToWidth(onOneLine(neutralise(content)), contentColumns);
}

function address(content: string): string {
  return cutToWidth(onOneLine(neutralise(content)), placeColumns);
}

function pathFrom(path: string, cwd: string): string {
  return address(relativeTo(cwd, path));
}

function relativeTo(cwd: string, path: string): string {
  return isAbsolute(path) ? pathWithin(path, cwd) : path;
}

function commandResult(untrimmed: string): string | null {
  const output = untrimmed.trim();
  if (output === '') return null;
  const lines = lineCount(output);
  if (lines > 1) return `Output: ${lines} lines`;
  return displayWidth(output) < contentColumns ? output : 'Command completed';
}

function inlineResult(untrimmed: string): string {
  const output = untrimmed.trim();
  const isShort = output !== '' && lineCount(output) === 1 && displayWidth(output) < unknownResultColumns;
  return isShort ? output : 'Completed';
}

function lineCount(output: string): number {
  return output === '' ? 0 : output.split('\n').length;
}

function itemCount(output: string): number {
  return output.split('\n').filter((line) => line.trim() !== '').length;
}

/** Search tools report their number of matches, or list one match a line. */
function countMatches(output: string): number {
  if (/^No (?:matches|files|results) found\b/i.test(output)) return 0;
  const said = /^Found (\d+) /.exec(output)?.[1];
  return said === undefined ? itemCount(output) : Number(said);
}
