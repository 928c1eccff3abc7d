/**
 * Makes lines that GitLab would carry out, such as `/close`, into text: a note's quick actions have the rights of our token.
 * Some versions of GitLab end a block of code at the first line with three backticks, so lines of code count, too.
 */
import { remark } from 'remark';
import type { ForgeRequest } from '../forge-client.ts';

const action = /^(\s*\/)(?=[a-z])/i;
const unusualFence = /^[\s>*-]*(?:`{4,}|~{3,})/m;

interface Note {
  readonly path: string;
  readonly text: string;
  /** Its lines in the change, as GitLab wants them; absent for a note in the conversation. */
  readonly position?: Readonly<Record<string, unknown>>;
}

/** The request of every note that we write, or rewrite. */
export function noteRequest({ path, text, ...rest }: Note, method: 'POST' | 'PUT' = 'POST'): ForgeRequest {
  return { method, path, body: { body: withoutQuickActions(text), ...rest } };
}

/** Keeps the lines of a suggestion, which are applied as they are; one that GitLab could misread is shown as code. */
export function withoutQuickActions(body: string): string {
  const lines = body.split('\n');
  if (!lines.some((line) => action.test(line))) return body;
  const exact = new Set<number>();
  for (const { start, end } of suggestionsIn(body)) {
    const inside = lines.slice(start, end - 1);
    if (unusualFence.test(body) && inside.some((line) => action.test(line)))
      lines[start - 1] = (lines[start - 1] ?? '').replace(/suggestion.*$/, '');
    else for (const at of inside.keys()) exact.add(start + at);
  }
  // The inserted character is not shown.
  return lines.map((line, at) => (exact.has(at) ? line : line.replace(action, '$1\u200b'))).join('\n');
}

/** Returns the first and the last line of each block, counted from 1. */
function suggestionsIn(body: string): readonly { readonly start: number; readonly end: number }[] {
  return remark()
    .parse(body)
    .children.flatMap((node) => {
      if (node.type !== 'code' || node.lang?.startsWith('suggestion') !== true) return [];
      const { position } = node;
      return position === undefined ? [] : [{ start: position.start.line, end: position.end.line }];
    });
}
