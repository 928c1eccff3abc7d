/**
 * Finds the functions around a line by their shape: indentation, brackets and the words of common languages. It knows no grammar, so it
 * works for every language that is indented, and finds nothing in code that is not.
 */

/** 1-based; both ends included. */
export interface ShownSpan {
  readonly start: number;
  readonly end: number;
}

export interface IndentedText {
  readonly lines: readonly string[];
  /** Columns; null for a line without code. */
  readonly indents: readonly (number | null)[];
}

export function readIndents(text: string): IndentedText {
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, mostColumns).replace(trailingComment, '').trimEnd());
  return { lines, indents: lines.map((line) => (isCode(line) ? indentOf(line) : null)) };
}

/** The rest of a line is ignored: the expressions below take longer than linear time. */
const mostColumns = 200;

/** Only after code: a line that is a comment stays one. */
const trailingComment = /(?<=\S)\s+(?:\/\/|#\s|\/\*(?!.*\*\/.*\S)).*$/u;

/** Returns the functions that contain a line, the innermost first. */
export function functionsAround(text: IndentedText, line: number): readonly ShownSpan[] {
  const first = codeAt(text, belowRemarks(text.lines, line - 1));
  const own = text.indents[first] ?? 0;
  const spans: ShownSpan[] = [];
  let least = Infinity;
  for (let at = first; at >= 0 && first - at < mostLines; at -= 1) {
    const indent = text.indents[at] ?? null;
    // The lines of a text in quotation marks may be indented less than the code around them.
    const isSearched = own > 0 && spans.length === 0 && indent === 0;
    if (indent === null || (indent >= least && !isSearched)) continue;
    least = indent;
    at = startOfStatement(text, at, indent);
    const span = functionFrom(text, at, indent);
    if (span !== null && span.start <= line && span.end >= line) spans.push(span);
    if (indent === 0 && (own === 0 || span !== null || spans.length > 0)) break;
  }
  return spans;
}

/** No longer function is found. */
const mostLines = 2000;

/** Comments and decorators belong to the function below them. */
function belowRemarks(lines: readonly string[], index: number): number {
  let at = index;
  while (at - index < mostRemarks && remark.test(lines[at] ?? '')) at += 1;
  return (lines[at] ?? '') === '' ? index : at;
}

/** Returns the index of the line or, if it has no code, of the next one above. */
function codeAt({ indents }: IndentedText, index: number): number {
  for (let at = Math.min(index, indents.length - 1); at >= 0; at -= 1)
    if ((indents[at] ?? null) !== null) return at;
  return -1;
}

/** A comment, a directive or a label may be indented less than the code around it. */
function isCode(line: string): boolean {
  const text = line.trimStart();
  return (
    text !== '' &&
    !/^(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\[|!?\[|\w+\s*\{)|--\s|@end\b)/u.test(text) &&
    !/^[A-Za-z_]\w*:$/u.test(line)
  );
}

function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += tabColumns;
    else break;
  }
  return columns;
}

const tabColumns = 4;

/** Returns the first line of a statement whose later line is at `index`: `) {`, `}`, `{` and `else` continue one. */
function startOfStatement({ lines, indents }: IndentedText, index: number, indent: number): number {
  let at = index;
  while (continuesStatement.test(lines[at]?.trimStart() ?? '')) {
    const above = codeAbove(indents, at, indent);
    if (above === null) return at;
    at = above;
  }
  return at;
}

const continuesStatement =
  /^(?:[)}\]{]|(?:else|catch|finally|elif|except|rescue|ensure|end|fi|done|where)\b|:\s)/u;

/** Returns the next line above with the same indentation; null if one with less is nearer. */
function codeAbove(indents: IndentedText['indents'], index: number, indent: number): number | null {
  for (let at = index - 1; at >= 0; at -= 1) {
    const other = indents[at] ?? null;
    if (other === null || other > indent) continue;
    return other === indent ? at : null;
  }
  return null;
}

function functionFrom(text: IndentedText, start: number, indent: number): ShownSpan | null {
  const headEnd = endOfHead(text, start, indent);
  if (headEnd === null) return null;
  const head = text.lines
    .slice(start, headEnd + 1)
    .join('\n')
    .trim();
  if (!isFunctionHead(head)) return null;
  const end = endOfBody(text, headEnd, { indent, isBraced: /[{([]$/u.test(head) });
  return { start: startOfRemarks(text, start, indent) + 1, end: end + 1 };
}

/** Returns the line that ends in `{`, `:` or an arrow; null if the statement ends before. */
function endOfHead({ lines, indents }: IndentedText, start: number, indent: number): number | null {
  for (let at = start; at < Math.min(lines.length, start + mostHeadLines); at += 1) {
    const own = indents[at] ?? null;
    if (own === null) continue;
    const line = lines[at] ?? '';
    if (
      own < indent ||
      (at > start && own === indent && !/^\s*(?:[)}\]{]|:\s|where\b|[\w~:*&]+\s*\()/u.test(line))
    )
      return null;
    if (/(?:[{([]|=>|->|\bdo|\bdo\s*\|[^|]*\||\bthen)$/u.test(line) && !/^[^{]*\(\s*$/u.test(line)) return at;
    if (line.endsWith(':') || /^\s*(?:async\s+)?def\s[^:]*[^:(,]$/u.test(line)) {
      if (at === start || own === indent || line.endsWith(':')) return at;
    }
    if (line.endsWith(';')) return null;
  }
  return null;
}

const mostHeadLines = 30;

function isFunctionHead(head: string): boolean {
  if (
    /^(?:if|for|while|switch|catch|else|do|try|using|lock|foreach|unless|until|with|return|synchronized|guard|case|elif|match|select|when|@(?:media|include|if|else|each|for|supports))\b/u.test(
      head.replace(/^[}\s]+/u, ''),
    )
  )
    return /=>\s*[{([]?$/u.test(head) || /\bfunction\b[^{]*\{$/u.test(head);
  if (/(?:=>|->)\s*[{([]*$/u.test(head)) return true;
  if (/\b(?:function|def|fn|func|fun|sub|init|deinit|subscript|constructor)\b[^{]*[{:)\w]$/su.test(head))
    return true;
  if (/^[-+]\s*\(/u.test(head)) return true;
  if (/(?:^|[=(,:]|\breturn)\s*new\s/u.test(head)) return false;
  const close = head.lastIndexOf(')');
  return (
    close > 0 && /[\w$\])>~?!]\s*\(/u.test(head.slice(0, close)) && /^[^;=]*\{$/u.test(head.slice(close + 1))
  );
}

interface Body {
  readonly indent: number;
  /** True if only a closing bracket ends it, so that a text that is indented less does not. */
  readonly isBraced: boolean;
}

/** Returns the last line of the block whose head ends at `headEnd`. */
function endOfBody({ lines, indents }: IndentedText, headEnd: number, { indent, isBraced }: Body): number {
  let last = headEnd;
  for (let at = headEnd + 1; at < Math.min(lines.length, headEnd + mostLines); at += 1) {
    const own = indents[at] ?? null;
    if (own === null) continue;
    const line = lines[at]?.trimStart() ?? '';
    const closes = own === indent && /^(?:[)}\]]|(?:end|fi|done)\b)/u.test(line);
    if (own > indent || (own === indent && line === '{')) last = at;
    else if (closes && /[{([]$/u.test(line)) last = at;
    else if (closes) return at;
    else if (!isBraced || opensDeclaration.test(line)) return last;
  }
  return last;
}

/** After such a line, the text is certainly not in the function above any more. */
const opensDeclaration =
  /^(?:export|import|function|class|def|fn|func|fun|pub|public|private|protected|static|interface|struct|impl|namespace|package)\b/u;

/** Comments and decorators right above belong to the function. */
function startOfRemarks({ lines }: IndentedText, start: number, indent: number): number {
  let at = start;
  while (start - at < mostRemarks) {
    const above = lines[at - 1] ?? '';
    // In some styles, `static int` is on a line of its own.
    const isType =
      /^\s*(?:template\s*<.*>|[\w*&:<>,~[\]]+(?:\s[\w*&:<>,~[\]]+){0,3})$/u.test(above) &&
      !/[:,]$/u.test(above);
    const isRemark = isType || remark.test(above);
    if (!isRemark || Math.abs(indentOf(above) - indent) > 1) break;
    at -= 1;
  }
  return at;
}

const mostRemarks = 20;
/** A comment, or a decorator on a line of its own. */
const remark = /^\s*(?:\/\/|\/?\*|@\w|#\[|#\s|--\s|\[[A-Z])(?!.*\{$)/u;
