import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { editableText, hasWindowsLines, withWindowsLines } from './editable-text.ts';
import type { Refused } from './inside-path.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import { findPlaceToWrite, type WritableFolder } from './place-to-write.ts';
import { readInsideBytes } from './read-text.ts';
import { replaceFile } from './replace-file.ts';

const args = z.strictObject({
  file_path: z.string().min(1).describe('Relative to the top of the repository.'),
  old_string: z.string().min(1).describe('The exact text, which must occur only once in the file.'),
  new_string: z.string(),
  replace_all: z.boolean().optional().describe('Replace it everywhere in the file.'),
});
type Args = z.infer<typeof args>;

export function createEditTool(folder: WritableFolder): Tool {
  return defineTool({
    name: 'Edit',
    aliases: ['edit', 'fs.edit'],
    description:
      'Replaces a piece of a text file of the repository. Include enough context that the text occurs only once.',
    readOnly: false,
    args,
    async run(wanted): Promise<ToolOutcome> {
      const place = await findPlaceToWrite(folder, wanted.file_path);
      if (!place.ok) return refuse(place.why);
      if (place.existing === null) return refuse(`There is no ${place.path}.`);
      const read = readInsideBytes(place.existing);
      if (!read.ok) return refuse(read.why);
      const before = editableText(read.bytes, place.path);
      if (!before.ok) return refuse(before.why);
      const edit = replaceIn(before.text, wanted);
      if (!edit.ok) return refuse(edit.why);
      const written = replaceFile(place, Buffer.from(edit.text));
      if (!written.ok) return refuse(written.why);
      return {
        content: `Changed ${place.path} at line ${edit.lines.join(', ')}.`,
        isError: false,
        data: { path: place.path, lines: [...edit.lines] },
        changed: [{ path: place.path, kind: 'update' }],
      };
    },
  });
}

type Edited = { readonly ok: true; readonly text: string; readonly lines: readonly number[] } | Refused;

function replaceIn(text: string, { file_path, old_string, new_string, replace_all = false }: Args): Edited {
  const asThere = hasWindowsLines(text) ? withWindowsLines : (part: string): string => part;
  const [old, wanted] = [asThere(old_string), asThere(new_string)];
  if (old === wanted) return { ok: false, why: 'old_string and new_string are the same.' };
  const parts = text.split(old);
  const lines = parts.slice(0, -1).map((_part, index) => lineAfter(parts.slice(0, index + 1).join(old)));
  if (lines.length === 0) {
    return {
      ok: false,
      why: `${file_path} does not hold old_string. Read it again: every space counts, and line numbers are not part of the text.`,
    };
  }
  if (lines.length > 1 && !replace_all) {
    return {
      ok: false,
      why: `${file_path} holds old_string ${lines.length} times, at line ${lines.join(', ')}. Quote more around it, or set replace_all.`,
    };
  }
  return { ok: true, text: parts.join(wanted), lines };
}

/** Returns the number of the line after a text, from 1. */
function lineAfter(text: string): number {
  return text.split('\n').length;
}
