/** Reads all of standard input, up to a limit. */
import { addAbortSignal } from 'node:stream';
import type { InputLimit } from '../../runs/start/start-place.ts';
import type { Session } from '../session.ts';

/** @throws the CollabError that `tooLarge` returns */
export async function readStandardInput(
  { stdin, signal }: Pick<Session, 'stdin' | 'signal'>,
  { mostBytes, tooLarge }: InputLimit,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stdin)) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
