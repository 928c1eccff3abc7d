import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { findInside } from './find-inside.ts';
import type { Tool } from '../definition/interfaces.ts';
import { readInsideText, type Mask } from './read-text.ts';
import { defaultLineLimit, renderLines } from './render-lines.ts';

const args = z.strictObject({
  file_path: z.string().min(1).describe('Relative to the top of the repository.'),
  offset: z.int().positive().optional().describe('The first line, from 1.'),
  limit: z.int().positive().max(defaultLineLimit).optional().describe('How many lines; 2000 at the most.'),
});

export function createReadTool({ root, mask }: { readonly root: string; readonly mask: Mask }): Tool {
  return defineTool({
    name: 'Read',
    aliases: ['read', 'cat', 'fs.read'],
    description: 'Reads a text file of the repository. Each line comes with its number and a tab before it.',
    readOnly: true,
    args,
    async run({ file_path, offset = 1, limit = defaultLineLimit }) {
      const place = await findInside(root, file_path);
      const read = place.ok ? readInsideText(place) : place;
      if (!read.ok) return refuse(read.why);
      return renderLines(mask(read.text), { path: file_path, offset, limit });
    },
  });
}
