/** The lines that a tool call of an agent changes, as a diff in colors. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { wrapCode, type Line } from '../../text/spans.ts';
import { neutralise } from '../../text/neutralise.ts';
import { colorDiff, foldLongDiff } from '../markdown/colored-diff.ts';

/** Returns nothing for an event that changes no file or does not say how. */
export function editLines(event: CollabEvent, columns: number): readonly Line[] {
  const diff = diffOf(event);
  if (diff === null) return [];
  return foldLongDiff(colorDiff(neutralise(diff)).flatMap((line) => wrapCode(line, columns)));
}

function diffOf(event: CollabEvent): string | null {
  if (event.type === 'file.changed') return event.diff === undefined || event.diff === '' ? null : event.diff;
  return event.type === 'tool.call' ? (editsIn(event.args)?.diff ?? null) : null;
}

/** The edits that the arguments of a tool call describe. */
export interface DescribedEdits {
  readonly diff: string;
  /** The names of the arguments that the diff shows whole. */
  readonly shown: readonly string[];
}

/**
 * Recognizes edits by the arguments and not by the tool's name, because a project may add editing tools of its own. Returns
 * null if the arguments describe no edit.
 */
export function editsIn(args: Readonly<Record<string, unknown>>): DescribedEdits | null {
  const { edits, content } = args;
  const one = replaced(args);
  if (one !== null) return { diff: one, shown: ['old_string', 'new_string'] };
  if (Array.isArray(edits)) {
    const each = edits.map((edit) => (isObject(edit) ? replaced(edit) : null));
    const known = each.filter((text) => text !== null);
    return known.length === edits.length && known.length > 0
      ? { diff: known.join('\n@@\n'), shown: ['edits'] }
      : null;
  }
  return typeof content === 'string' && typeof args['file_path'] === 'string'
    ? { diff: marked('+', content), shown: ['content'] }
    : null;
}

function replaced({
  old_string: before,
  new_string: after,
}: Readonly<Record<string, unknown>>): string | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  return [marked('-', before), marked('+', after)].filter((text) => text !== '').join('\n');
}

function marked(mark: string, text: string): string {
  if (text === '') return '';
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => mark + line)
    .join('\n');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
