/** Text that is written back: unchanged parts stay byte for byte. */
import type { Refused } from './inside-path.ts';

export type EditableText = { readonly ok: true; readonly text: string } | Refused;

/** Bytes that are not UTF-8 could not be written back unchanged. */
export function editableText(bytes: Uint8Array, path: string): EditableText {
  if (bytes.subarray(0, 8000).includes(0)) return { ok: false, why: `${path} is a binary file.` };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { ok: false, why: `${path} is not UTF-8 text.` };
  }
}

/** Returns true if every line ends as on Windows. */
export function hasWindowsLines(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

export function withWindowsLines(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
