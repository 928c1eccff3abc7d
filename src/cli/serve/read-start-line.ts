/** Reads a command line from a message to the server. */
import { CommanderError } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import type { ParsedLine, Program } from '../program.ts';

/** @throws CollabError `usage` for a line with a fault, or one that starts no run */
export function readStartLine(words: readonly string[], read: Program['read']): StartRequest {
  const starts = parse(words, read)?.starts ?? null;
  if (starts !== null && starts.shown.plan !== true) return starts.request;
  throw new CollabError('usage', `${words.join(' ')} starts no run`);
}

function parse(words: readonly string[], read: Program['read']): ParsedLine | null {
  try {
    return read(words);
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    // --help and --version start no run.
    if (cause.exitCode === 0) return null;
    throw new CollabError('usage', cause.message.replace(/^error: /, ''), { cause });
  }
}
