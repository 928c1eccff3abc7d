import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { widenHunks } from '../../parsers/diff/widen.ts';
import type { GitView } from '../repository/git-view.ts';

/**
 * Above this limit the diff stays as git wrote it: added context is only a help, and must not cost more than the change.
 */
const mostFiles = 500;
const mostBytes = 4 * 1024 * 1024;

/**
 * Returns the diff with each hunk extended up to the first line of its function, if that is near. Changed lines stay as
 * they are.
 */
export async function addFunctionContext(view: GitView, diff: string): Promise<string> {
  const parsed = diff.length > mostBytes ? null : parseUnifiedDiff(diff);
  if (parsed === null || parsed.faults.length > 0 || parsed.preamble.length > 0) return diff;
  const wide = parsed.files.filter(hasHeads);
  if (wide.length === 0 || wide.length > mostFiles) return diff;
  const blobs = await view.objects.blobs(wide.map(({ newBlob }) => newBlob ?? ''));
  const texts = new Map(wide.map((file, index) => [file, blobs[index]?.toString('utf8') ?? '']));
  return parsed.files.map((file) => renderDiffFile(widenHunks(file, texts.get(file) ?? ''))).join('');
}

function hasHeads({ newBlob, hunks }: DiffFile): boolean {
  return newBlob !== null && hunks.some(({ heading }) => heading !== '');
}
