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
  if (event.type !== 'tool.call') return null;
  const { name, args } = event;
  if (name === 'Edit') return replaced(args);
  if (name === 'Write') return typeof args['content'] === 'string' ? marked('+', args['content']) : null;
  if (name !== 'MultiEdit' || !Array.isArray(args['edits'])) return null;
  const edits = args['edits'].map((edit) => (isObject(edit) ? replaced(edit) : null));
  return edits.filter((text) => text !== null).join('\n@@\n');
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
