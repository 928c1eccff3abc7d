import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { openNamed } from '../../system/files/read.ts';
import { maxDiffBytes, type ChangeInput, type ChangeRequest } from './change-input.ts';

/** A change that is given as the text of a diff. */
export type DiffRequest = Extract<ChangeRequest, { kind: 'file' | 'stdin' }>;

/** @throws CollabError `input`, `empty_input` */
export async function takeDiff(request: DiffRequest, cwd: string, allowEmpty: boolean): Promise<ChangeInput> {
  const { kind } = request;
  const { title = 'standard input' } = kind === 'stdin' ? request : {};
  const name = kind === 'file' ? request.path : title;
  const bytes = await readDiff(request, cwd);
  if (bytes.length > maxDiffBytes) throw tooLarge(name);
  const diffText = decode(bytes);
  const empty = diffText.trim() === '';
  if (empty && !allowEmpty) {
    throw new CollabError('empty_input', `${name} is empty`, {
      hint: 'Pipe a diff (git diff main...HEAD | collab review -), or accept it: --allow-empty',
    });
  }
  if (diffText.slice(0, 8000).includes('\0')) throw notADiff(name, 'is a binary file');
  if (!empty && !looksLikeDiff(diffText)) throw notADiff(name, 'contains no unified diff');
  return {
    kind,
    base: null,
    head: null,
    mergeBase: null,
    tree: null,
    diffText,
    messages: null,
    attributes: {},
    description: describeDiff(request),
    empty,
    root: null,
  };
}

/** The description of a diff that has neither a file nor a title. */
export const unnamedDiff = 'a diff from standard input';

function describeDiff(request: DiffRequest): string {
  if (request.kind === 'file') return `diff file ${basename(request.path)}`;
  return request.title ?? unnamedDiff;
}

/** Returns the text, whether it is a diff or not. @throws CollabError `input` */
export async function readDiffText(request: DiffRequest, cwd: string): Promise<string> {
  return decode(await readDiff(request, cwd));
}

/** @throws CollabError `input` */
export async function readDiff(request: DiffRequest, cwd: string): Promise<Uint8Array> {
  if (request.kind === 'file') return request.text ?? readWhole(resolve(cwd, request.path), request.path);
  return typeof request.text === 'string' ? Buffer.from(request.text) : request.text;
}

async function readWhole(path: string, name: string): Promise<Buffer> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new CollabError('input', `${name} does not exist`, {
      hint: 'Name a diff file, - for standard input, a range a...b, or nothing for the working tree',
      cause,
    });
  });
  if (found.isDirectory()) {
    throw new CollabError('input', `${name} is a folder, not a diff`, {
      hint: 'Run `collab review` inside the folder to review its working tree',
    });
  }
  if (found.size > maxDiffBytes) throw tooLarge(name);
  return readBounded(path, name);
}

/** A pipe (`<(git diff)`) has no size beforehand. */
async function readBounded(path: string, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of createReadStream('', { fd: openNamed(path, name) }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxDiffBytes) throw tooLarge(name);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof CollabError) throw cause;
    throw new CollabError('input', `${name} cannot be read: ${describe(cause)}`, { cause });
  }
  return Buffer.concat(chunks, sizeBytes);
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Decodes UTF-8, or UTF-16 as the Windows shell writes it (`git diff > change.diff`). */
function decode(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** A cheap check; the parser reports the errors of a real diff. */
function looksLikeDiff(text: string): boolean {
  return /^diff --(?:git|cc|combined) /m.test(text) || /^--- .*\r?\n\+\+\+ /m.test(text);
}

function notADiff(name: string, fault: string): CollabError {
  return new CollabError('input', `${name} ${fault}`, {
    hint: 'Make one with: git diff main...HEAD > change.diff',
  });
}

function tooLarge(name: string): CollabError {
  return new CollabError('input', `${name} is larger than 256 MB`, {
    hint: 'Review a smaller range, or part of the files: git diff main...HEAD -- src | collab review -',
  });
}
