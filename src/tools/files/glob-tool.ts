import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { findInside } from './find-inside.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import { createGlobMatcher } from './limited-match.ts';
import { createSearchTime, type SearchTime } from '../definition/search-time.ts';
import { walkFiles } from './walk-files.ts';

const args = z.strictObject({
  pattern: z.string().min(1).max(1000).describe('Such as **/*.ts; from `path` on.'),
  path: z.string().optional().describe('The folder to look in; default: the top of the repository.'),
});

const fileLimit = 500;

export function createGlobTool({ root }: { readonly root: string }): Tool {
  return defineTool({
    name: 'Glob',
    aliases: ['glob', 'find'],
    description: `Lists the files of the repository whose paths match a glob, ${fileLimit} at the most.`,
    readOnly: true,
    args,
    async run({ pattern, path = '.' }, { signal }) {
      const place = await findInside(root, path);
      if (!place.ok) return refuse(place.why);
      if (place.kind !== 'folder') return refuse(`${path} is not a folder.`);
      const glob = createGlobMatcher(pattern);
      if (!glob.ok) return refuse(glob.why);
      const time = createSearchTime(signal);
      const prefix = place.path === '.' ? '' : `${place.path}/`;
      const paths = await collect(walkFiles(place), time);
      const found = glob.match(paths.map((candidate) => candidate.slice(prefix.length)));
      if (found === null) return refuse(`The glob takes too long to match. Write a simpler one.`);
      return listing(
        found.flatMap((index) => paths[index] ?? []),
        time.isOver(),
      );
    },
  });
}

async function collect(paths: AsyncIterable<string>, time: SearchTime): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const path of paths) {
    if (time.isOver()) break;
    collected.push(path);
  }
  return collected;
}

function listing(paths: readonly string[], late: boolean): ToolOutcome {
  const shown = paths.slice(0, fileLimit);
  const notes = [
    shown.length < paths.length ? [`(the first ${fileLimit}; narrow the pattern or the path)`] : [],
    late ? ['(the time for the search is over: there may be more)'] : [],
  ].flat();
  const head = paths.length === 0 ? 'No files found' : `Found ${paths.length} files`;
  return {
    content: [head, ...shown, ...notes].join('\n'),
    isError: false,
    data: { files: paths.length, cut: notes.length > 0 },
  };
}
