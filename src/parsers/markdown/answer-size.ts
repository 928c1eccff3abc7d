/** The largest parsed answer: remark's time grows faster than the text; 400 KB take seconds. */
export const maxAnswerBytes = 1_000_000;

/** Returns the size in UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
