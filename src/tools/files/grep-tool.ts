import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { findInside, type InsidePlace } from './find-inside.ts';
import type { Refused } from './inside-path.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import type { Matcher } from '../../text/bounded-match.ts';
import { createGlobMatcher, createMatcher } from './limited-match.ts';
import { readInsideText, type Mask } from './read-text.ts';
import { cutLine, splitLines } from './render-lines.ts';
import { createSearchTime } from '../definition/search-time.ts';
import { walkFiles } from './walk-files.ts';

const args = z.strictObject({
  pattern: z.string().min(1).max(1000).describe('A JavaScript regular expression, matched line by line.'),
  path: z.string().optional().describe('A file or folder; default: the whole repository.'),
  glob: z.string().min(1).max(1000).optional().describe('Only files whose path matches, such as *.ts.'),
  ignore_case: z.boolean().optional(),
});
type Args = z.infer<typeof args>;

const matchLimit = 200;
const lineLimitCharacters = 300;

export interface GrepOptions {
  readonly root: string;
  readonly mask: Mask;
}

export function createGrepTool(options: GrepOptions): Tool {
  return defineTool({
    name: 'Grep',
    aliases: ['grep', 'search'],
    description: `Searches the text files of the repository. Each match is a line "path:line:text", ${matchLimit} at the most.`,
    readOnly: true,
    args,
    async run(wanted, { signal }) {
      const place = await findInside(options.root, wanted.path ?? '.');
      if (!place.ok) return refuse(place.why);
      const matchers = matchersOf(wanted);
      if (!matchers.ok) return refuse(matchers.why);
      return search({ ...options, ...matchers, place, signal });
    },
  });
}

type Matchers = { readonly ok: true; readonly line: Matcher; readonly path: Matcher | null };

function matchersOf({ pattern, glob, ignore_case }: Args): Matchers | Refused {
  const line = createMatcher(pattern, ignore_case === true ? 'i' : '');
  if (!line.ok || glob === undefined) return line.ok ? { ok: true, line: line.match, path: null } : line;
  // As in ripgrep: a glob without a slash matches the file name.
  const path = createGlobMatcher(glob.includes('/') ? glob : `**/${glob}`);
  return path.ok ? { ok: true, line: line.match, path: path.match } : path;
}

interface Search extends GrepOptions, Matchers {
  readonly place: InsidePlace;
  readonly signal: AbortSignal;
}

async function search(task: Search): Promise<ToolOutcome> {
  const time = createSearchTime(task.signal);
  const matches: string[] = [];
  let [searched, skipped, late] = [0, 0, false];
  for await (const path of walkFiles(task.place)) {
    late = time.isOver();
    if (late || matches.length > matchLimit) break;
    const wanted = task.path === null ? [0] : task.path([path]);
    if (wanted === null) return refuse('The glob takes too long to match. Write a simpler one.');
    if (wanted.length === 0) continue;
    const place = await findInside(task.root, path);
    const read = place.ok ? readInsideText(place) : place;
    if (!read.ok) {
      skipped += 1;
      continue;
    }
    searched += 1;
    const found = await searchText(task, path, read.text);
    if (found === null) return refuse(`The pattern takes too long to match in ${path}. Write a simpler one.`);
    matches.push(...found);
  }
  return report({ matches, searched, skipped, late });
}

/** Masks the lines before matching: no pattern can probe for a secret. */
async function searchText({ line, mask }: Search, path: string, text: string) {
  const raw = line(splitLines(text));
  if (raw === null || raw.length === 0) return raw === null ? null : [];
  const lines = splitLines(mask(text));
  const found = line(lines);
  return found === null
    ? null
    : found.map((index) => `${path}:${index + 1}:${cutLine(lines[index] ?? '', lineLimitCharacters)}`);
}

interface Findings {
  readonly matches: readonly string[];
  readonly searched: number;
  readonly skipped: number;
  readonly late: boolean;
}

function report({ matches, searched, skipped, late }: Findings): ToolOutcome {
  const shown = matches.slice(0, matchLimit);
  const cut = shown.length < matches.length;
  const notes = [
    cut ? [`(the first ${matchLimit} matches; narrow the pattern, the path or the glob)`] : [],
    skipped > 0 ? [`(${skipped} files left out: binary, larger than 2 MiB or not readable)`] : [],
    late ? ['(the time for the search is over: there may be more)'] : [],
  ].flat();
  const head =
    matches.length === 0 ? `No matches found in ${searched} files` : `Found ${shown.length} matches`;
  return {
    content: [head, ...shown, ...notes].join('\n'),
    isError: false,
    data: { matches: shown.length, files: searched, cut: cut || late },
  };
}
