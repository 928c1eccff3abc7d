/** remark's time grows faster than the text: 400 KB take seconds. */
export const maxAnswerBytes = 1_000_000;

/** In UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
