import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { editableText, hasWindowsLines, withWindowsLines } from './editable-text.ts';
import type { InsidePlace } from './find-inside.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import { findPlaceToWrite, type WritableFolder } from './place-to-write.ts';
import { fileLimitBytes, readInsideBytes, type Mask } from './read-text.ts';
import { splitLines } from './render-lines.ts';
import { replaceFile } from './replace-file.ts';

const args = z.strictObject({
  file_path: z.string().min(1).describe('Relative to the top of the repository.'),
  content: z.string().describe('The whole file.'),
});

export interface WriteOptions extends WritableFolder {
  readonly mask: Mask;
}

export function createWriteTool({ mask, ...folder }: WriteOptions): Tool {
  return defineTool({
    name: 'Write',
    aliases: ['write', 'fs.write'],
    description:
      'Writes a complete text file of the repository, replaces an existing one, and creates folders.',
    readOnly: false,
    args,
    async run({ file_path, content }): Promise<ToolOutcome> {
      if (Buffer.byteLength(content) > fileLimitBytes) return refuse(`A file has 2 MiB at the most.`);
      const place = await findPlaceToWrite(folder, file_path);
      if (!place.ok) return refuse(place.why);
      const before = place.existing === null ? '' : await textOf(place.existing);
      if (mask(before) !== before) {
        return refuse(
          `${place.path} holds a secret that you were not shown. Change its other parts with Edit.`,
        );
      }
      const text = hasWindowsLines(before) ? withWindowsLines(content) : content;
      const written = replaceFile(place, Buffer.from(text));
      if (!written.ok) return refuse(written.why);
      const kind = place.existing === null ? 'add' : 'update';
      const lines = splitLines(text).length;
      return {
        content: `${kind === 'add' ? 'Made' : 'Replaced'} ${place.path} (${lines} lines).`,
        isError: false,
        data: { path: place.path, kind, lines },
        changed: [{ path: place.path, kind }],
      };
    },
  });
}

/** A file that is not text is replaced without further checks. */
async function textOf(place: InsidePlace): Promise<string> {
  const read = readInsideBytes(place);
  const text = read.ok ? editableText(read.bytes, place.path) : read;
  return text.ok ? text.text : '';
}
