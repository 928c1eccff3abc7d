/** Tells a dropped failure from an attempt whose failure the code expects. */
import type { LinePlace } from '../rule.ts';

/** Lines of code that a comment in the same `try` explains. */
const explained = 2;

/**
 * Returns true if a short `try` says in a comment why its failure is dropped, or holds one statement that only takes a
 * value or throws: the code after it handles the missing value.
 */
export function expectsFailure(body: readonly string[]): boolean {
  const lines = body.map((line) => line.trim()).filter((line) => line !== '');
  const code = lines.filter((line) => !/^(?:\/\/|\/\*|\*|#)/.test(line));
  if (code.length < lines.length && code.length <= explained) return true;
  const statements = code.filter((line) => /[;:]$|^\S+ = |^(?:return|throw|raise)\b/.test(line));
  const [first = ''] = code;
  return (
    statements.length <= 1 &&
    /^(?:return|throw|raise)\b|^(?:(?:const|let|var|final|[A-Z]\w*(?:<[^>]*>)?)\s+)?[\w.$]+\s*=[^=>]/.test(
      first,
    )
  );
}

/** Returns the lines of the `try` whose handler is on that line; none if its first line is not shown. */
export function tryBodyAbove({ texts, index }: LinePlace): readonly string[] {
  const indent = indentOf(texts[index] ?? '');
  for (let line = index - 1; line >= 0; line -= 1) {
    const text = texts[line] ?? '';
    if (indentOf(text) === indent && /^\s*(?:\}\s*)?try\b/.test(text)) return texts.slice(line + 1, index);
  }
  return [];
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
