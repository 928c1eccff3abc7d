import type { FoundSecret } from './text-range.ts';

/** Finds the lines of private keys, whatever precedes them: a diff's `+`, a quotation's `>`, a string's quotes. */
export interface PrivateKeyScanner {
  /** Returns the key material in the next line, which is passed without its line end. */
  scanLine(line: string): readonly FoundSecret[];
}

/**
 * Scans a text line by line. The markers stay readable; the text between them is masked. A marker without a
 * key, as in code that looks for one, changes nothing.
 */
export function createPrivateKeyScanner(): PrivateKeyScanner {
  let place: 'outside' | 'after_marker' | 'inside' = 'outside';
  return {
    scanLine(line) {
      const marker = beginMarker.exec(line);
      if (marker !== null) {
        const bodyStart = marker.index + marker[0].length;
        const rest = line.slice(bodyStart, bodyStart + longestKey);
        const body = inlineBody.exec(rest);
        place = body === null && lineRest.test(rest) ? 'after_marker' : 'outside';
        return body === null ? [] : [found(bodyStart + (body[1] ?? '').length, (body[2] ?? '').length)];
      }
      if (place === 'outside' || (place === 'after_marker' && headerLine.test(line))) return [];
      const [, before = '', body = ''] = bodyLine.exec(line.slice(0, longestKey)) ?? [];
      const isKey = body.length >= (place === 'inside' ? 1 : leastFirstLine);
      place = isKey ? 'inside' : 'outside';
      return isKey ? [found(before.length, body.length)] : [];
    },
  };
}

/** In characters, with room to spare; a pattern needs memory for each one that it repeats. */
const longestKey = 2 ** 18;
/** A shorter first line is a word of the program, not the beginning of a key. */
const leastFirstLine = 24;
const beginMarker = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** The key follows on the marker's own line, with the line ends written as `\n` or left out. */
const inlineBody = /^((?:\\[nr]|[ \t])*)((?:[A-Za-z0-9+/=]|\\[nr]| (?=[A-Za-z0-9+/=]{16})){24,})/;
const lineRest = /^(?:\\[nr]|[\s"'`,;+\\])*$/;
const headerLine = /^[+ -]?[\s>|*#"'`]*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):.*)?$/;
/** A leading `+` is assumed to be a diff's, and stays: in a key it would be six bits. */
const bodyLine = /^([+ -]?[\s>|*#"'`]*)([A-Za-z0-9+/=]+)(?:\\[nr]|[\s"'`,;+\\])*$/;

function found(start: number, length: number): FoundSecret {
  return { start, end: start + length, rule: 'private_key' };
}
