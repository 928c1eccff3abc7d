import type { FoundSecret } from './text-range.ts';

/** Sees the lines of private keys, whatever stands before them: a diff's `+`, a quotation's `>`, a string's quotes. */
export interface PrivateKeyScanner {
  /** The key material in the next line, which is given without its line end. */
  scanLine(line: string): readonly FoundSecret[];
}

/**
 * Takes a text line by line. The markers stay readable; what stands between them is covered. A marker that no key follows, as
 * in code that looks for one, changes nothing.
 */
export function createPrivateKeyScanner(): PrivateKeyScanner {
  let place: 'outside' | 'after_marker' | 'inside' = 'outside';
  return {
    scanLine(line) {
      const marker = beginMarker.exec(line);
      if (marker !== null) {
        const bodyStart = marker.index + marker[0].length;
        const body = inlineBody.exec(line.slice(bodyStart));
        place = body === null && lineRest.test(line.slice(bodyStart)) ? 'after_marker' : 'outside';
        return body === null ? [] : [found(bodyStart + (body[1] ?? '').length, (body[2] ?? '').length)];
      }
      if (place === 'outside' || (place === 'after_marker' && headerLine.test(line))) return [];
      const [, before = '', body = ''] = bodyLine.exec(line) ?? [];
      const isKey = body.length >= (place === 'inside' ? 1 : leastFirstLine);
      place = isKey ? 'inside' : 'outside';
      return isKey ? [found(before.length, body.length)] : [];
    },
  };
}

/** A shorter first line is a word of the program, not the beginning of a key. */
const leastFirstLine = 24;
const beginMarker = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** On the marker's own line, with the line ends written as `\n` or left out. */
const inlineBody = /^((?:\\[nr]|[ \t])*)((?:[A-Za-z0-9+/=]|\\[nr]| (?=[A-Za-z0-9+/=]{16})){24,})/;
const lineRest = /^(?:\\[nr]|[\s"'`,;+\\])*$/;
const headerLine = /^[+ -]?[\s>|*#"'`]*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):.*)?$/;
/** A leading `+` is taken for a diff's, and stays: of a key it would be six bits. */
const bodyLine = /^([+ -]?[\s>|*#"'`]*)([A-Za-z0-9+/=]+)(?:\\[nr]|[\s"'`,;+\\])*$/;

function found(start: number, length: number): FoundSecret {
  return { start, end: start + length, rule: 'private_key' };
}
