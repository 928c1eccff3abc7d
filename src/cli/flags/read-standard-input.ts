/** Reads all of standard input, or the text given in its place, up to a limit. */
import { addAbortSignal } from 'node:stream';
import type { CollabError } from '../../errors/collab-error.ts';
import type { Session } from '../session.ts';

export interface InputLimit {
  readonly mostBytes: number;
  readonly tooLarge: () => CollabError;
}

/** @throws the CollabError that `tooLarge` returns */
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
