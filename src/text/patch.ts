/** A patch as people read it, within a question or at a terminal. */
import { renderFence } from './fence.ts';
import type { Paint } from './paint.ts';
import { renderCount } from './quantities.ts';

/** A longer patch is cut: a person reads it with a pager. */
const mostLines = 400;
const mostCharacters = 64 * 1024;

/** Renders the patch as a fenced block of limited length. `rest` is the command that prints all of it. */
export function renderPatch(patch: string, rest: string): string {
  const lines = patch.trimEnd().split('\n');
  const shown = lines.slice(0, fitting(lines));
  const block = renderFence(shown.join('\n'), 'diff');
  const hidden = lines.length - shown.length;
  return hidden === 0
    ? block
    : `${block}\n\n${renderCount(hidden, 'more line')}: \`${rest}\` prints the whole patch.`;
}

function fitting(lines: readonly string[]): number {
  let characters = 0;
  const over = lines.findIndex((line, index) => {
    characters += line.length + 1;
    return index >= mostLines || characters > mostCharacters;
  });
  return over === -1 ? lines.length : over;
}

export function paintPatch(patch: string, paint: Paint): string {
  return patch
    .split('\n')
    .map((line) => paintPatchLine(line, paint))
    .join('\n');
}

function paintPatchLine(line: string, paint: Paint): string {
  if (/^(?:diff --git |\+\+\+ |--- )/.test(line)) return paint.bold(line);
  if (line.startsWith('@@')) return paint.cyan(line);
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}
