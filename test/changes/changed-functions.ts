/** The share of changed functions of a real change that a request shows whole. */
import { Lang, parse, type SgNode } from '@ast-grep/napi';
import type { ShownSpan } from '../../src/parsers/diff/enclosing-function.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../src/parsers/diff/types.ts';
import { widenChange, type ContextLevel } from '../../src/parsers/diff/widen-change.ts';
import type { Difference } from './differences.ts';

/** Finds functions without looking at indentation: by a grammar, or by brackets. */
export const functionJudges: Readonly<Record<string, (text: string, path: string) => readonly ShownSpan[]>> =
  {
    JavaScript: functionsOfGrammar,
    TypeScript: functionsOfGrammar,
    'C++': functionsOfBrackets,
    Java: functionsOfBrackets,
    Kotlin: functionsOfBrackets,
    Swift: functionsOfBrackets,
  };

interface WholeFunctions {
  readonly shown: number;
  readonly all: number;
  /** Place and lines of the functions that are not shown whole. */
  readonly missing: readonly string[];
}

/** Returns null for a language without a judge. */
export function countWhole(
  { language, diff, after }: Difference,
  level: ContextLevel,
): WholeFunctions | null {
  const judge = functionJudges[language];
  if (judge === undefined) return null;
  let [shown, all] = [0, 0];
  const missing: string[] = [];
  const { files } = parseUnifiedDiff(diff);
  const wide = widenChange(files, ({ path }) => after(path), level).files;
  for (const [index, file] of files.entries()) {
    if (file.change === 'added' || file.change === 'deleted' || file.hunks.length === 0) continue;
    for (const span of changedFunctions(file, judge(after(file.path), file.path))) {
      all += 1;
      if (showsAll(wide[index] ?? file, span)) shown += 1;
      else missing.push(`${file.path}:${span.start}-${span.end}`);
    }
  }
  return { shown, all, missing };
}

/** Returns the innermost function of each added line. */
function changedFunctions(file: DiffFile, functions: readonly ShownSpan[]): ReadonlySet<ShownSpan> {
  const found = new Set<ShownSpan>();
  const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'));
  for (const { newLine } of added) {
    const around = functions.filter(
      ({ start, end }) => newLine !== null && start <= newLine && newLine <= end,
    );
    const [inner] = around.toSorted((one, other) => one.end - one.start - (other.end - other.start));
    if (inner !== undefined) found.add(inner);
  }
  return found;
}

function showsAll({ hunks }: DiffFile, { start, end }: ShownSpan): boolean {
  return hunks.some(({ newStart, newLines }) => newStart <= start && newStart + newLines - 1 >= end);
}

const functionKinds = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'arrow_function',
  'method_definition',
];

function functionsOfGrammar(text: string, path: string): readonly ShownSpan[] {
  const language = path.endsWith('.tsx')
    ? Lang.Tsx
    : /\.[mc]?ts$/.test(path)
      ? Lang.TypeScript
      : Lang.JavaScript;
  const root = parse(language, text).root();
  return functionKinds
    .flatMap((kind) => root.findAll({ rule: { kind } }))
    .map(spanOf)
    .filter(({ start, end }) => end > start);
}

function spanOf(node: SgNode): ShownSpan {
  const { start, end } = node.range();
  return { start: start.line + 1, end: end.line + 1 };
}

/** A block in braces is a function if the words before it have brackets and begin with no control word. */
function functionsOfBrackets(text: string): readonly ShownSpan[] {
  const plain = withoutTexts(text);
  const open: { readonly line: number; readonly isFunction: boolean }[] = [];
  const found: ShownSpan[] = [];
  let line = 1;
  let [words, firstLine] = ['', 1];
  for (const character of plain) {
    if (character === '\n') line += 1;
    // Not every language ends a statement with a mark.
    if (character === '\n' && words.endsWith('\n')) words = '';
    if (character === '{') {
      open.push({ line: firstLine, isFunction: isFunction(words.trim()) });
      words = '';
    } else if (character === '}') {
      const block = open.pop();
      if (block?.isFunction === true && line > block.line) found.push({ start: block.line, end: line });
      words = '';
    } else if (character === ';') words = '';
    else {
      if (words.trim() === '' && character.trim() !== '') firstLine = line;
      words += character;
    }
  }
  return found;
}

function isFunction(words: string): boolean {
  const last = words
    .split('\n')
    .filter((one) => !/^\s*[#@]/.test(one))
    .join(' ')
    .trim();
  return (
    /\)\s*(?:(?:const|override|noexcept|throws|rethrows|async|final)\b[\s\w.,]*|->[^=]*|:[^=]*)?$/.test(
      last,
    ) &&
    !/^(?:\}?\s*else\s+)?(?:if|for|while|switch|catch|do|try|guard|when|synchronized|using|return|@synchronized|@autoreleasepool|foreach|else|class|struct|enum|namespace|extension|protocol|interface|object|let|var|val|if let)\b/.test(
      last,
    ) &&
    !/[=,(]\s*$/.test(last) &&
    !/\b(?:class|struct|enum|namespace|extension|object|interface)\b/.test(last)
  );
}

/** Blanks comments and texts in quotation marks. */
function withoutTexts(text: string): string {
  return text.replaceAll(
    /\/\/[^\n]*|\/\*[^]*?\*\/|"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*/gm,
    (part) => part.replaceAll(/[^\n]/g, ' '),
  );
}
