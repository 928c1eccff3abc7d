import { maskLine } from './find-secrets.ts';
import { createPrivateKeyScanner } from './private-keys.ts';

export interface LineMasker {
  /** Takes the next piece of a stream; returns the lines that are complete, masked. */
  push(text: string): string;
  /** Returns the last line, which has no line end, and resets the masker. */
  flush(): string;
}

/** Masks a stream by whole lines, so that no cut can split a secret; the output never depends on the cuts. */
export function createLineMasker(): LineMasker {
  let scanner = createPrivateKeyScanner();
  let pending = '';
  return {
    push(text) {
      // Search only the new piece: a long line may arrive letter by letter.
      const [first = '', ...others] = text.split('\n');
      pending += first;
      if (others.length === 0) return '';
      const lines = [pending, ...others];
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
