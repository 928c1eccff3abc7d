/** Finds the tests within a source file by its layout: an opener, and the lines that are indented below it. */
import type { Language } from './language.ts';

const javascript = /^\s*(?:describe|suite|context|it|test)(?:\.\w+)*\s*\(\s*['"`]/;
const annotated =
  /^\s*(?:@(?:Test|ParameterizedTest|BeforeEach|AfterEach)\b|\[(?:Fact|Theory|Test|TestMethod)\b)/;

const openers: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python: /^\s*(?:(?:async\s+)?def\s+test_\w*\s*\(|class\s+Test\w*\b)/,
  ruby: /^\s*(?:describe|context|it)\s+['"].*\bdo\b/,
  go: /^func\s+(?:Test|Benchmark|Fuzz|Example)[A-Z_]\w*\s*\(/,
  java: annotated,
  csharp: annotated,
  rust: /^\s*#\[(?:cfg\(test\)|(?:\w+::)?test\b)/,
};

/** Returns the lines of tests, counted from 0. */
export function testLinesOf(lines: readonly string[], language: Language): ReadonlySet<number> {
  const opener = openers[language];
  const found = new Set<number>();
  if (opener === undefined) return found;
  for (let line = 0; line < lines.length; line += 1) {
    if (!opener.test(lines[line] ?? '')) continue;
    const end = endOf(lines, line);
    for (; line < end; line += 1) found.add(line);
    line -= 1;
  }
  return found;
}

/**
 * Returns the index after the last line of the block: an annotation's block is that of the declaration below it. A line
 * that closes it, such as `});`, is the last one.
 */
function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '');
  let line = start + 1;
  while (isAnnotation(lines[line - 1] ?? '') && line < lines.length) line += 1;
  for (; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    if (text.trim() === '' || indentOf(text) > indent) continue;
    return /^\s*(?:[)}\]]|end\b)/.test(text) ? line + 1 : line;
  }
  return line;
}

function isAnnotation(text: string): boolean {
  return /^\s*(?:#\[|@|\[)/.test(text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
