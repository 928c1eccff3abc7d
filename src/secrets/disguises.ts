/** Reads a line in other forms: without invisible characters, with its escapes undone, decoded from base64 or hexadecimal. */
import type { TextRange } from './text-range.ts';

export interface LineReading {
  readonly text: string;
  /** Returns the place in the original line of a range of `text`. */
  readonly placeOf: (range: TextRange) => TextRange;
}

/** Returns every other reading of the line; none for most lines. Each takes time linear in the line. */
export function readingsOf(line: string): readonly LineReading[] {
  const unescaped = mightBeEscaped.test(line)
    ? escapes.flatMap((escape) => withoutEscapes(line, escape))
    : [];
  // Digits of hexadecimal are letters of base64.
  return line.search(base64Run) < 0 ? unescaped : [...unescaped, ...fromBase64(line), ...fromHex(line)];
}

/** Each of the escapes has one of these signs. */
const mightBeEscaped = /[^\t\n\r -~]|[%\\&]/;

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
    pattern: new RegExp(characterOfBytes('%'), 'g'),
    meaning: (escape) => textOfBytes(escape.split('%').slice(1), 16),
  },
  {
    pattern: new RegExp(
      String.raw`${characterOfBytes(String.raw`\\[xX]`)}|\\3[0-7]{2}(?:\\2[0-7]{2}){1,3}|\\(?:[nrtbf"'\`\\/$]|[xX][0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[0-7]{3})`,
      'g',
    ),
    meaning: meaningOfBackslash,
  },
  {
    // A browser reads them without the semicolon, too.
    pattern: /&(?:amp|lt|gt|quot|apos|lowbar|#0{0,9}[0-9]{1,7}|#x0{0,9}[0-9a-f]{1,6});?/gi,
    meaning: meaningOfEntity,
  },
];

/** Returns the pattern of one character of UTF-8: each byte is two digits behind the sign. */
function characterOfBytes(sign: string): string {
  const byte = (first: string) => `${sign}[${first}][0-9a-fA-F]`;
  return `${byte('0-7')}|${byte('c-fC-F')}(?:${byte('89abAB')}){1,3}`;
}

function meaningOfBackslash(escape: string): string {
  const sign = escape.charAt(1);
  if (/[0-7]/.test(sign)) return textOfBytes(escape.split('\\').slice(1), 8);
  if (/x/i.test(sign)) return textOfBytes(escape.split(/\\x/i).slice(1), 16);
  if (/u/i.test(sign) && escape.length > 2) return letter(escape.replace(/[\\u{}]/gi, ''), 16);
  return { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' }[sign] ?? sign;
}

function textOfBytes(bytes: readonly string[], base: number): string {
  return Buffer.from(bytes.map((digits) => Number.parseInt(digits, base))).toString('utf8');
}

function meaningOfEntity(escape: string): string {
  const name = escape.slice(1).replace(';', '').toLowerCase();
  if (name.startsWith('#x')) return letter(name.slice(2), 16);
  if (name.startsWith('#')) return letter(name.slice(1), 10);
  return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", lowbar: '_' }[name] ?? '';
}

function letter(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

function withoutEscapes(line: string, { pattern, meaning }: Escape): readonly LineReading[] {
  if (line.search(pattern) < 0) return [];
  let text = '';
  let from = 0;
  /** The start and end, in the line, of the character at each position of `text`. */
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
  return fromBytes(Buffer.from(run, 'base64'), (range) => ({
    start: start + Math.floor(range.start / 3) * 4,
    end: start + Math.min(Math.ceil(range.end / 3) * 4, run.length),
  }));
}

/** Shorter runs hold no secret that is longer than a word. */
const hexRun = /[0-9a-fA-F]{24,}/g;

/** A digit before the run may touch it, so it is decoded at both offsets. */
function fromHex(line: string): readonly LineReading[] {
  return [...line.matchAll(hexRun)].flatMap(({ index, 0: run }) =>
    [0, 1].flatMap((offset) => {
      const start = index + offset;
      return fromBytes(Buffer.from(run.slice(offset), 'hex'), (range) => ({
        start: start + range.start * 2,
        end: start + range.end * 2,
      }));
    }),
  );
}

/** Reads bytes as UTF-8 and, if they have its zeros, as UTF-16. */
function fromBytes(bytes: Buffer, placeOf: LineReading['placeOf']): readonly LineReading[] {
  const letters = bytes.toString('latin1');
  if (!readable.test(letters) && !readableUtf16.test(letters)) return [];
  const [utf8 = { text: letters, placeOf }] = withoutEscapes(letters, utf8Sequences).map((reading) => ({
    text: reading.text,
    placeOf: (range: TextRange) => placeOf(reading.placeOf(range)),
  }));
  const first = letters.search(utf16Letters) % 2;
  if (first < 0) return [utf8];
  const utf16: LineReading = {
    text: bytes.toString('utf16le', first),
    placeOf: ({ start, end }) => placeOf({ start: first + start * 2, end: first + end * 2 }),
  };
  return [utf8, utf16];
}

const utf8Sequences: Escape = {
  pattern: /[\xc2-\xf4][\x80-\xbf]{1,3}/g,
  meaning: (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'),
};

/** Two letters, also of full width; in the other byte order, these are the second bytes and the first ones of the next. */
const utf16Letters = /(?:[!-~]\0|[^\0]\xff)(?:[^]{2})?(?:[!-~]\0|[^\0]\xff)/;

/** Binary data has hardly any stretch that looks like text. */
const readable = /(?:[\t\n\r -~]|[\xc2-\xf4][\x80-\xbf]{1,3}){10}/;
const readableUtf16 = /(?:[\t\n\r -~]\0|[^][\x20\x28\x30\xd8-\xdf\xfe\xff]){10}/;
