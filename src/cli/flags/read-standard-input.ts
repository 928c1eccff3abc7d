/** All of standard input, or the text that stands in its place; no more than somebody wants to hold. */
import { addAbortSignal } from 'node:stream';
import type { CollabError } from '../../errors/collab-error.ts';
import type { Session } from '../session.ts';

export interface InputLimit {
  readonly mostBytes: number;
  readonly tooLarge: () => CollabError;
}

/** @throws CollabError as `tooLarge` makes it */
export async function readStandardInput(
  { stdin, given, signal }: Pick<Session, 'stdin' | 'given' | 'signal'>,
  { mostBytes, tooLarge }: InputLimit,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of given === undefined ? addAbortSignal(signal, stdin) : [given]) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
