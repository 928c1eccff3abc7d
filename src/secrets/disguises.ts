/** Reads a line in other forms: without invisible characters, with its escapes undone, decoded from base64 or hexadecimal. */
import type { TextRange } from './text-range.ts';

export interface LineReading {
  readonly text: string;
  /** Returns the place in the original line of a range of `text`. */
  readonly placeOf: (range: TextRange) => TextRange;
}

/** Returns every other reading of the line; none for most lines. Each takes time linear in the line. */
export function readingsOf(line: string): readonly LineReading[] {
  return [
    ...escapes.flatMap((escape) => withoutEscapes(line, escape)),
    ...fromBase64(line),
    ...fromHex(line),
  ];
}

interface Escape {
  readonly pattern: RegExp;
  readonly meaning: (escape: string) => string;
}

const escapes: readonly Escape[] = [
  {
    // Colors of a terminal; control characters, among them the zeros of UTF-16 read byte by byte; joiners, direction marks,
    // variation selectors, tags; separators of lines, the empty Braille pattern.
    pattern:
      /[^\P{Cc}\t\n\r](?:\[[0-9;?]*[@-~])?|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu,
    meaning: () => '',
  },
  // Spaces that are not those of code.
  { pattern: /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, meaning: () => '' },
  // Letters in full width, and those of mathematics.
  { pattern: /[\u{ff01}-\u{ff5e}\u{1d400}-\u{1d7ff}]/gu, meaning: (sign) => sign.normalize('NFKC') },
  {
    pattern: /%[0-7][0-9a-f]/gi,
    meaning: (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  },
  {
    pattern:
      /\\(?:[nrtbf"'`\\/$]|[xX][0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[0-7]{3})/g,
    meaning: meaningOfBackslash,
  },
  {
    pattern: /&(?:amp|lt|gt|quot|apos|#[0-9]{1,6}|#x[0-9a-f]{1,5});/gi,
    meaning: meaningOfEntity,
  },
];

function meaningOfBackslash(escape: string): string {
  const sign = escape.charAt(1);
  if (/[0-7]/.test(sign)) return letter(escape.slice(1), 8);
  if (/[ux]/i.test(sign) && escape.length > 2) return letter(escape.replace(/[\\ux{}]/gi, ''), 16);
  return { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' }[sign] ?? sign;
}

function meaningOfEntity(escape: string): string {
  const name = escape.slice(1, -1).toLowerCase();
  if (name.startsWith('#x')) return letter(name.slice(2), 16);
  if (name.startsWith('#')) return letter(name.slice(1), 10);
  return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name] ?? '';
}

function letter(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

function withoutEscapes(line: string, { pattern, meaning }: Escape): readonly LineReading[] {
  if (line.search(pattern) < 0) return [];
  let text = '';
  let from = 0;
  /** By position in `text`: the start and end of its character in the line. */
  const starts: number[] = [];
  const ends: number[] = [];
  const copyUntil = (end: number) => {
    text += line.slice(from, end);
    for (let at = from; at < end; at += 1) {
      starts.push(at);
      ends.push(at + 1);
    }
  };
  for (const { index, 0: escape } of line.matchAll(pattern)) {
    copyUntil(index);
    from = index + escape.length;
    const meant = meaning(escape);
    text += meant;
    for (let at = 0; at < meant.length; at += 1) {
      starts.push(index);
      ends.push(from);
    }
  }
  copyUntil(line.length);
  return [
    {
      text,
      placeOf: ({ start, end }) => ({
        start: starts[start] ?? line.length,
        end: ends[end - 1] ?? line.length,
      }),
    },
  ];
}

/** Shorter runs hold no secret that is longer than a word. */
const base64Run = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/** A `+` of a diff or a path may touch the start of a run, so it is decoded at each of four offsets. */
const alignments = [0, 1, 2, 3];

function fromBase64(line: string): readonly LineReading[] {
  return [...line.matchAll(base64Run)].flatMap(({ index, 0: run }) =>
    alignments.flatMap((alignment) => decode(run.slice(alignment), index + alignment)),
  );
}

/** Four letters encode three bytes: a secret in the text is masked by whole groups of four. */
function decode(run: string, start: number): readonly LineReading[] {
  const text = Buffer.from(run, 'base64').toString('latin1');
  if (!readable.test(text)) return [];
  return [
    {
      text,
      placeOf: (range) => ({
        start: start + Math.floor(range.start / 3) * 4,
        end: start + Math.min(Math.ceil(range.end / 3) * 4, run.length),
      }),
    },
  ];
}

/** Shorter runs hold no secret that is longer than a word. */
const hexRun = /[0-9a-fA-F]{24,}/g;

/** A digit before the run may touch it, so it is decoded at both offsets. */
function fromHex(line: string): readonly LineReading[] {
  return [...line.matchAll(hexRun)].flatMap(({ index, 0: run }) =>
    [0, 1].flatMap((offset) => {
      const text = Buffer.from(run.slice(offset), 'hex').toString('latin1');
      if (!readable.test(text)) return [];
      const start = index + offset;
      return [
        {
          text,
          placeOf: (range: TextRange) => ({ start: start + range.start * 2, end: start + range.end * 2 }),
        },
      ];
    }),
  );
}

/** Binary data has hardly any stretch that looks like text; UTF-16 text has a zero after each letter. */
const readable = /(?:[\t\n\r -~]\0?){10}/;
