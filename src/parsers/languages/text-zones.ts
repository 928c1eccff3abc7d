/** Finds the comments and strings of a text by its language's marks, even if the text does not parse. */
import type { Language } from './language.ts';

/** A part of a text, in UTF-16 units, end excluded. The quotes of a string are not part of it. */
export interface TextZone {
  readonly kind: 'comment' | 'string';
  readonly start: number;
  readonly end: number;
}

/** The comments and texts of a language. Openers are sources of regular expressions with the flag `m`. */
interface Marks {
  /** Opens a comment that ends with its line. */
  readonly line?: string;
  readonly blocks?: readonly (readonly [open: string, close: string])[];
  /** Blocks may contain blocks. */
  readonly nested?: true;
  readonly strings?: readonly StringMark[];
  /** Opens a text that ends before a line with its group `tag`. */
  readonly heredoc?: string;
  /** Looks like an opener, but is none. */
  readonly ignored?: string;
  /** The beginning of a line that runs the text at its end as a command. */
  readonly runs?: RegExp;
}

interface StringMark {
  readonly open: string;
  readonly close: string;
  /** Without it, the string ends with its line. */
  readonly many?: true;
  /** A backslash escapes nothing. */
  readonly raw?: true;
  /** A string on one line counts as code: commands and policies are often quoted. */
  readonly quotesCode?: true;
}

const cComments = { line: '//', blocks: [['/\\*', '*/']] } as const;
const quotes: readonly StringMark[] = [
  { open: '"', close: '"' },
  { open: "'", close: "'" },
];
const tripleQuotes: StringMark = { open: '"""', close: '"""', many: true };
/** `#` in `$#` and `${#name}` opens no comment. */
const hash = '(?<=^|[\\s;(])#';

const hasGrammar: Marks = { blocks: [['/\\*', '*/']] };

/** Longer openers come first. Languages with a grammar have no marks. */
const marksOf: Readonly<Partial<Record<Language, Marks>>> = {
  python: { line: '#', strings: [tripleQuotes, { open: "'''", close: "'''", many: true }, ...quotes] },
  ruby: {
    line: hash,
    blocks: [['^=begin\\b', '\n=end']],
    strings: quotes,
    heredoc: '<<[-~]?(?<quote>["\'`]?)(?<tag>[A-Z_]\\w*)\\k<quote>',
  },
  php: {
    ...cComments,
    line: '//|#',
    strings: quotes,
    heredoc: '<<<[ \\t]*(?<quote>["\']?)(?<tag>[A-Za-z_]\\w*)\\k<quote>',
  },
  go: { ...cComments, strings: [{ open: '`', close: '`', many: true, raw: true }, ...quotes] },
  java: { ...cComments, strings: [tripleQuotes, ...quotes] },
  csharp: {
    ...cComments,
    strings: [tripleQuotes, { open: '@"', close: '"', many: true, raw: true }, ...quotes],
  },
  rust: {
    ...cComments,
    nested: true,
    strings: [
      { open: '\\br#"', close: '"#', many: true, raw: true },
      { open: '"', close: '"', many: true },
    ],
    ignored: "'(?:\\\\[^']+|[^\\\\'])'",
  },
  c: { ...cComments, strings: [{ open: 'R"\\(', close: ')"', many: true, raw: true }, ...quotes] },
  swift: { ...cComments, nested: true, strings: [tripleQuotes, { open: '"', close: '"' }] },
  sql: { line: '--', blocks: [['/\\*', '*/']], strings: [{ open: "'", close: "'", many: true, raw: true }] },
  shell: {
    line: hash,
    strings: [
      { open: "'", close: "'", many: true, raw: true, quotesCode: true },
      { open: '"', close: '"', many: true, quotesCode: true },
    ],
    heredoc: '(?<!<)<<-?[ \\t]*(?<quote>["\']?)(?<tag>[A-Za-z_]\\w*)\\k<quote>',
    ignored: '\\\\.',
    runs: /(?:^|[\s;|&(])(?:(?:ba|z|da|k)?sh|ssh|su|sudo|eval|trap)\b[^;|&]*$/,
  },
  yaml: { line: hash },
  docker: { line: '^[ \\t]*#' },
  terraform: { ...cComments, line: '//|#', strings: [{ open: '"', close: '"', quotesCode: true }] },
  settings: { line: '^[ \\t]*(?:[#;]|//)' },
  markup: {
    line: '^[ \\t]*//',
    blocks: [
      ['<!--', '-->'],
      ['/\\*', '*/'],
    ],
  },
  prose: {
    strings: [
      { open: '^[ \\t]*```', close: '```', many: true, raw: true },
      { open: '^[ \\t]*~~~', close: '~~~', many: true, raw: true },
    ],
  },
  other: { line: '^[ \\t]*//', blocks: [['/\\*', '*/']] },
};

/** Returns the zones in the order of the text. A string that never ends is read as code. */
export function textZonesOf(text: string, language: Language): readonly TextZone[] {
  const marks = marksOf[language];
  return marks === undefined ? [] : new ZoneReader(text, marks).read();
}

/** Returns true if a comment or a string of the language may span lines, so that a line alone does not show it. */
export function spansLines(language: Language): boolean {
  const { blocks = [], strings = [], heredoc } = marksOf[language] ?? hasGrammar;
  return blocks.length > 0 || heredoc !== undefined || strings.some(({ many }) => many === true);
}

/** Returns the zone at an offset; null in code. */
export function zoneAt(zones: readonly TextZone[], offset: number): TextZone | null {
  let [low, high] = [0, zones.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zones[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const zone = zones[low];
  return zone !== undefined && zone.start <= offset ? zone : null;
}

interface Heredoc {
  readonly tag: string;
  readonly isRun: boolean;
}

class ZoneReader {
  readonly #text: string;
  readonly #marks: Marks;
  readonly #zones: TextZone[] = [];
  #at = 0;
  #heredocs: Heredoc[] = [];

  constructor(text: string, marks: Marks) {
    this.#text = text;
    this.#marks = marks;
  }

  read(): readonly TextZone[] {
    const opener = openerOf(this.#marks);
    while (this.#at < this.#text.length) {
      opener.lastIndex = this.#at;
      const found = opener.exec(this.#text);
      if (found === null) break;
      this.#at = Math.max(opener.lastIndex, this.#at + 1);
      this.#enter(found);
    }
    return this.#zones;
  }

  #enter({ index, groups = {} }: RegExpExecArray): void {
    const { line, tag, ignored } = groups;
    if (ignored !== undefined) return;
    if (line !== undefined) return this.#add('comment', index, indexOr(this.#text, '\n', this.#at));
    if (tag !== undefined) {
      this.#heredocs.push({ tag, isRun: this.#isRun(index) });
      return;
    }
    const block = this.#marks.blocks?.find((_, number) => groups[`block${number}`] !== undefined);
    if (block !== undefined) return this.#add('comment', index, this.#endOfBlock(block));
    const string = this.#marks.strings?.find((_, number) => groups[`string${number}`] !== undefined);
    if (string !== undefined) return this.#readString(string, index);
    this.#readHeredocs();
  }

  #add(kind: TextZone['kind'], start: number, end: number): void {
    if (end > start) this.#zones.push({ kind, start, end });
    this.#at = Math.max(this.#at, end);
  }

  #endOfBlock([open, close]: readonly [string, string]): number {
    let depth = 1;
    const mark = new RegExp(`(?<open>${open})|${escape(close)}`, 'gm');
    mark.lastIndex = this.#at;
    for (let found = mark.exec(this.#text); found !== null; found = mark.exec(this.#text)) {
      if (found.groups?.['open'] === undefined) depth -= 1;
      else if (this.#marks.nested === true) depth += 1;
      if (depth === 0) return mark.lastIndex;
    }
    return this.#text.length;
  }

  #readString(mark: StringMark, index: number): void {
    const { close, quotesCode } = mark;
    const start = this.#at;
    const end = this.#endOfString(mark);
    if (end === null) return;
    const isOnOneLine = !this.#text.slice(start, end).includes('\n');
    const isCode = quotesCode === true && (isOnOneLine || this.#isRun(index));
    if (!isCode) this.#add('string', start, end);
    const isClosed = this.#text.startsWith(close, end);
    this.#at = isClosed ? end + close.length : end;
  }

  /** Returns null if the text ends first. */
  #endOfString({ close, many, raw }: StringMark): number | null {
    for (let at = this.#at; at < this.#text.length; at += 1) {
      if (raw !== true && this.#text[at] === '\\') at += 1;
      else if (this.#text.startsWith(close, at)) return at;
      else if (many !== true && this.#text[at] === '\n') return at;
    }
    return many === true ? null : this.#text.length;
  }

  /** Reads the bodies that begin on this line. One without an end was no heredoc, but a shift of bits. */
  #readHeredocs(): void {
    for (const { tag, isRun } of this.#heredocs) {
      const last = new RegExp(`^[ \\t]*${tag}\\b`, 'gm');
      last.lastIndex = this.#at;
      const found = last.exec(this.#text);
      if (found === null) continue;
      if (!isRun) this.#add('string', this.#at, found.index);
      this.#at = last.lastIndex;
    }
    this.#heredocs = [];
  }

  #isRun(index: number): boolean {
    const start = this.#text.lastIndexOf('\n', index - 1) + 1;
    return this.#marks.runs?.test(this.#text.slice(start, index)) === true;
  }
}

function openerOf({ line, blocks = [], strings = [], heredoc, ignored }: Marks): RegExp {
  const parts = [
    ...(ignored === undefined ? [] : [`(?<ignored>${ignored})`]),
    ...blocks.map(([open], number) => `(?<block${number}>${open})`),
    ...(line === undefined ? [] : [`(?<line>${line})`]),
    ...strings.map(({ open }, number) => `(?<string${number}>${open})`),
    ...(heredoc === undefined ? [] : [heredoc, '\\n']),
  ];
  return new RegExp(parts.join('|'), 'gm');
}

function indexOr(text: string, searched: string, from: number): number {
  const index = text.indexOf(searched, from);
  return index < 0 ? text.length : index;
}

function escape(text: string): string {
  return text.replace(/[*/.()[\]{}?+^$|\\-]/g, '\\$&');
}
