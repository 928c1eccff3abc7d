/** A text that is written back: what is not changed in it stays, byte for byte. */
import type { Refused } from './inside-path.ts';

export type EditableText = { readonly ok: true; readonly text: string } | Refused;

/** Bytes that are no UTF-8 could not be written back as they were. */
export function editableText(bytes: Uint8Array, path: string): EditableText {
  if (bytes.subarray(0, 8000).includes(0)) return { ok: false, why: `${path} is a binary file.` };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { ok: false, why: `${path} is no UTF-8 text.` };
  }
}

/** Whether every line of a text ends as on Windows. */
export function hasWindowsLines(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

export function withWindowsLines(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
