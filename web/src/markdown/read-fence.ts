/** A block that consists of fenced code alone. It looks the same while it is open and when it is closed. */
export interface Fence {
  /** The language in the fence; null if it has none, or its line is not complete yet. */
  readonly language: string | null;
  readonly code: string;
  readonly isOpen: boolean;
}

/** Returns null for any other block. */
export function readFence(block: string): Fence | null {
  const [head = '', indent = '', marks = '', info = ''] = /^( {0,3})(`{3,}|~{3,})([^\n]*)/.exec(block) ?? [];
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null;
  if (head.length === block.length) return { language: null, code: '', isOpen: true };
  const body = block.slice(head.length + 1);
  const end = closingFence(marks).exec(body);
  if (end !== null && body.slice(end.index + end[0].length).trim() !== '') return null;
  const code = end === null ? withoutBegunFence(body, marks) : body.slice(0, end.index);
  return { language: languageOf(info), code: withoutIndent(code, indent.length), isOpen: end === null };
}

/**
 * Removes the last line of a growing text if it is, or may become, a fence. Otherwise it would visibly change its shape.
 */
export function withoutBegunLine(text: string): string {
  return text.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2}|`{3,}[^\n`]*|~{3,}[^\n]*)$/, '$1');
}

function closingFence(marks: string): RegExp {
  return new RegExp(String.raw`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \t]*$`, 'm');
}

function withoutBegunFence(body: string, marks: string): string {
  return body.replace(new RegExp(String.raw`(^|\n) {0,3}${marks.charAt(0)}{1,${marks.length}}$`), '$1');
}

function languageOf(info: string): string | null {
  return /\S+/.exec(info)?.[0] ?? null;
}

/** An indented fence removes the same indent from its lines. */
function withoutIndent(code: string, width: number): string {
  return width === 0 ? code : code.replace(new RegExp(String.raw`^ {1,${width}}`, 'gm'), '');
}
