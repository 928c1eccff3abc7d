/** Asks the worker for the colors of a file's lines. It is loaded with the first file that is opened. */
import { startTransition, useEffect, useState } from 'react';
import type { HunkData, HunkTokens } from 'react-diff-view';
import type { DiffFile } from '../../../src/client/review.ts';
import { toHunkData } from './change-lines.ts';

export interface ColorRequest {
  readonly id: number;
  readonly hunks: HunkData[];
  /** The end of the file's name, which names its language. */
  readonly extension: string;
}

interface ColorAnswer {
  readonly id: number;
  readonly tokens: HunkTokens | null;
}

/** Colors of more lines than these would take more memory than they are worth. */
const mostLines = 6000;

let worker: Worker | null = null;
let last = 0;

/**
 * Returns null until the colors are there, and if there are none: the lines are then shown plain. `file` may have more lines
 * than the file of the change, whose colors stay until those of all lines are there.
 */
export function useCodeColors(file: DiffFile, ofChange: DiffFile): HunkTokens | null {
  const [colored, setColored] = useState<{ readonly of: DiffFile; readonly tokens: HunkTokens } | null>(null);
  useEffect(() => {
    const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    if (typeof Worker === 'undefined' || lines > mostLines) return undefined;
    return askForColors(file, (tokens) =>
      startTransition(() => setColored({ of: ofChange, tokens: withoutEmptyLines(tokens) })),
    );
  }, [file, ofChange]);
  return colored?.of === ofChange ? colored.tokens : null;
}

/**
 * Leaves lines without a text out. The colors have such a line for each one that they were not asked for: a line that is opened
 * later would be shown empty until its colors are there.
 */
export function withoutEmptyLines({ old, new: added }: HunkTokens): HunkTokens {
  return { old: filled(old), new: filled(added) };
}

type TokenLines = HunkTokens['old'];

function filled(lines: TokenLines): TokenLines {
  const result: TokenLines = [];
  for (const [index, line] of lines.entries()) if (line.some(hasText)) result[index] = line;
  return result;
}

function hasText({ value, children }: TokenLines[number][number]): boolean {
  return value !== '' && (value !== undefined || (children ?? []).some(hasText));
}

/** Returns a function that stops waiting. */
function askForColors(file: DiffFile, onColors: (tokens: HunkTokens) => void): () => void {
  worker ??= new Worker(new URL('./code-colors.worker.ts', import.meta.url), { type: 'module' });
  const asked = worker;
  last += 1;
  const id = last;
  const hear = ({ data }: MessageEvent<ColorAnswer>) => {
    if (data.id !== id) return;
    asked.removeEventListener('message', hear);
    if (data.tokens !== null) onColors(data.tokens);
  };
  asked.addEventListener('message', hear);
  const request: ColorRequest = { id, hunks: file.hunks.map(toHunkData), extension: extensionOf(file.path) };
  // A worker has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  asked.postMessage(request);
  return () => asked.removeEventListener('message', hear);
}

function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
