import { maskLine } from './find-secrets.ts';
import { createPrivateKeyScanner } from './private-keys.ts';

export interface LineMasker {
  /** Takes the next piece of a stream; returns the whole lines that are ready, masked. */
  push(text: string): string;
  /** The last line, which has no line end. Afterwards the masker is as new. */
  flush(): string;
}

/** Masks a stream by whole lines, so that no cut can split a secret; what comes out never depends on the cuts. */
export function createLineMasker(): LineMasker {
  let scanner = createPrivateKeyScanner();
  let pending = '';
  return {
    push(text) {
      const lines = (pending + text).split('\n');
      pending = lines.pop() ?? '';
      return lines.map((line) => `${maskLine(line, scanner)}\n`).join('');
    },
    flush() {
      const last = maskLine(pending, scanner);
      scanner = createPrivateKeyScanner();
      pending = '';
      return last;
    },
  };
}
