import { createPrivateKeyScanner, type PrivateKeyScanner } from './private-keys.ts';
import type { SecretShape } from './secret-shape.ts';
import { readingsOf } from './disguises.ts';
import { privateKeyRule, secretHint, secretTable } from './secret-table.ts';
import { cover, type FoundSecret } from './text-range.ts';

/** A secret, and the row of the table that applies to it. */
export interface SecretHit extends FoundSecret {
  readonly row: Pick<SecretShape, 'rule' | 'report' | 'rejectable'>;
  /** The secret itself. */
  readonly value: string;
  /** The text that follows it on its line. */
  readonly after: string;
}

/** Returns every secret in the text, line by line, in the order of the table. */
export function findHits(text: string): readonly SecretHit[] {
  const scanner = createPrivateKeyScanner();
  return eachLine(text, (line) => scanLine(line, scanner));
}

function mightHoldSecret(text: string): boolean {
  return secretHint.test(text);
}

/** Scans one line, without its line end; the scanner has seen the text's earlier lines. */
export function scanLine(line: string, scanner: PrivateKeyScanner): readonly SecretHit[] {
  const keys = scanner.scanLine(line).map((found) => hitOf(privateKeyRule, line, found));
  return [...keys, ...findInLine(line, 0)];
}

/**
 * Masking one secret may reveal the next: two tokens written without a gap. No legitimate line has more layers than
 * this.
 */
const mostLayers = 16;

export function maskLine(line: string, scanner: PrivateKeyScanner): string {
  // Both search the original line: if one masked first, the other might see only the rest of a token.
  const first = scanLine(line, scanner);
  if (first.length === 0) return line;
  let masked = cover(line, first);
  for (let layer = 1; ; layer += 1) {
    const found = findInLayer(masked, layer, findInLine(masked, 0));
    if (found.length === 0) return masked;
    masked = cover(masked, found);
  }
}

/** Returns every secret in a text that already has `layer` layers masked. */
export function findFurther(text: string, layer: number): readonly SecretHit[] {
  const scanner = createPrivateKeyScanner();
  return eachLine(text, (line) => findInLayer(line, layer, scanLine(line, scanner)));
}

/** Returns the whole line as one hit if it has too many layers: masking them one by one would take quadratic time. */
function findInLayer(line: string, layer: number, hits: readonly SecretHit[]): readonly SecretHit[] {
  const [first] = hits;
  if (layer < mostLayers || first === undefined) return hits;
  return [{ ...first, start: 0, end: line.length }];
}

/** The most nested forms that are undone, such as an escape inside base64. */
const mostForms = 3;

/**
 * A pattern needs memory for each character that it repeats, so a longer line is searched in windows. Their
 * overlap exceeds the length of a secret with the name before it.
 */
const windowLength = 2 ** 20;
const overlap = 2 ** 16;

function findInLine(line: string, depth: number): readonly SecretHit[] {
  if (line.length <= windowLength) return findInWindow(line, depth);
  const hits = new Map<string, SecretHit>();
  for (let from = 0; from + overlap < line.length; from += windowLength - overlap) {
    for (const hit of findInWindow(line.slice(from, from + windowLength), depth)) {
      const [start, end] = [from + hit.start, from + hit.end];
      hits.set(`${start} ${end} ${hit.rule}`, { ...hit, start, end });
    }
  }
  return [...hits.values()];
}

function findInWindow(line: string, depth: number): readonly SecretHit[] {
  const found = findByShape(line);
  if (depth === mostForms) return found;
  const disguised = readingsOf(line).flatMap(({ text, placeOf }) =>
    findInReading(text, depth + 1).map((hit) => ({ ...hit, ...placeOf(hit) })),
  );
  return disguised.length === 0 ? found : [...found, ...disguised];
}

/** A reading may have several lines, and so a whole private key. */
function findInReading(text: string, depth: number): readonly SecretHit[] {
  const scanner = createPrivateKeyScanner();
  return eachLine(text, (line) => [
    ...scanner.scanLine(line).map((found) => hitOf(privateKeyRule, line, found)),
    ...findInLine(line, depth),
  ]);
}

function eachLine(text: string, find: (line: string) => readonly SecretHit[]): readonly SecretHit[] {
  const hits: SecretHit[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    for (const hit of find(line)) hits.push({ ...hit, start: offset + hit.start, end: offset + hit.end });
    offset += line.length + 1;
  }
  return hits;
}

const rows = secretTable.map((row) => ({ row, hint: new RegExp(row.hint) }));

function findByShape(line: string): readonly SecretHit[] {
  if (!mightHoldSecret(line)) return [];
  return rows
    .filter(({ hint }) => hint.test(line))
    .flatMap(({ row }) => [...line.matchAll(row.shape)].flatMap((match) => locate(row, match, line)));
}

function locate(row: SecretShape, match: RegExpMatchArray, line: string): readonly SecretHit[] {
  const [from, end] = match.indices?.groups?.['secret'] ??
    match.indices?.groups?.['header'] ??
    match.indices?.[0] ?? [0, 0];
  const start = match.indices?.groups?.['before']?.[0] ?? from;
  const secret = line.slice(start, end);
  if (row.isSecret?.(secret, match) === false || /\*{3}/.test(secret)) return [];
  return [hitOf(row, line, { start, end, rule: row.rule })];
}

function hitOf(row: SecretHit['row'], line: string, { start, end, rule }: FoundSecret): SecretHit {
  return { start, end, rule, row, value: line.slice(start, end), after: line.slice(end) };
}
