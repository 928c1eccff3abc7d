import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { findInside } from './find-inside.ts';
import { isHiddenName } from './inside-path.ts';
import type { Tool } from '../definition/interfaces.ts';

const args = z.strictObject({
  path: z.string().optional().describe('A folder; default: the top of the repository.'),
});

const entryLimit = 1000;

export function createListTool({ root }: { readonly root: string }): Tool {
  return defineTool({
    name: 'LS',
    aliases: ['ls', 'list', 'fs.list'],
    description: `Lists a folder of the repository, at most ${entryLimit} names. Folders end with a slash.`,
    readOnly: true,
    args,
    async run({ path = '.' }) {
      const place = await findInside(root, path);
      if (!place.ok) return refuse(place.why);
      if (place.kind !== 'folder') return refuse(`${path} is not a folder.`);
      const entries = await readdir(place.real, { withFileTypes: true }).catch(() => null);
      if (entries === null) return refuse(`${path} cannot be read.`);
      const names = entries
        .filter(({ name }) => !isHiddenName(name))
        .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''}`)
        .toSorted();
      const shown = names.slice(0, entryLimit);
      const rest = shown.length < names.length ? [`(the first ${entryLimit} of ${names.length})`] : [];
      return {
        content: names.length === 0 ? '(the folder is empty)' : [...shown, ...rest].join('\n'),
        isError: false,
        data: { path: place.path, entries: names.length, cut: rest.length > 0 },
      };
    },
  });
}
