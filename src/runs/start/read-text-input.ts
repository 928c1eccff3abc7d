/** Reads a text by a person or the calling lead: a file, or standard input for `-`. */
import { resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { openNamed, readUpTo } from '../../system/files/read.ts';
import type { StartPlace } from './start-place.ts';

export interface TextInput {
  /** The flag's value: a path, or `-`. */
  readonly file: string;
  /** The name of the text in messages: "the brief". */
  readonly what: string;
  readonly mostBytes: number;
  /** The flag with the path; default `--file`. */
  readonly flag?: string;
}

/** @throws CollabError `input` if it cannot be read, is too large or is not text */
export async function readTextInput(
  { cwd, readInput = readNothing }: Pick<StartPlace, 'cwd' | 'readInput'>,
  input: TextInput,
): Promise<string> {
  const bytes =
    input.file === '-'
      ? await readInput({ mostBytes: input.mostBytes, tooLarge: () => tooLarge(input) })
      : readFile(cwd, input);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CollabError('input', `${input.what} is not UTF-8 text`, { cause });
  }
}

/** Without standard input, `-` names an empty one. */
export function readNothing(): Promise<Uint8Array> {
  return Promise.resolve(new Uint8Array());
}

/** @throws CollabError `input` if a text that came with the request is too large */
export function checkSize(text: string, limit: Pick<TextInput, 'what' | 'mostBytes'>): string {
  if (Buffer.byteLength(text) > limit.mostBytes) throw tooLarge(limit);
  return text;
}

function readFile(cwd: string, { file, what, mostBytes, flag = '--file' }: TextInput): Uint8Array {
  const path = resolve(cwd, file);
  try {
    const bytes = readUpTo(openNamed(path, file), path, mostBytes);
    if (bytes === null) throw tooLarge({ what, mostBytes });
    return bytes;
  } catch (cause) {
    if (cause instanceof CollabError) throw cause;
    throw new CollabError('input', `${what} cannot be read: ${file}`, {
      hint: `name a text file with ${flag}, or - for standard input`,
      cause,
    });
  }
}

function tooLarge({ what, mostBytes }: Pick<TextInput, 'what' | 'mostBytes'>): CollabError {
  return new CollabError('input', `${what} is larger than ${Math.round(mostBytes / 1024)} KiB`, {
    hint: 'Shorten it; the advisor can read files of the repository itself.',
  });
}
