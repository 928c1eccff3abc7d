import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { widenChange, type ContextCosts, type ContextLevel } from '../../parsers/diff/widen-change.ts';
import type { GitView } from '../repository/git-view.ts';

/**
 * Above this limit the diff stays as git wrote it: added context is only a help, and must not cost more than the change.
 */
const mostFiles = 500;
const mostBytes = 4 * 1024 * 1024;

export interface DiffInContext {
  readonly text: string;
  /** The bytes that each level adds; null if git's own context is all there is. */
  readonly costs: ContextCosts | null;
}

/** Returns the diff with more of its files, within a budget. Changed lines stay as they are. */
export async function addContext(view: GitView, diff: string, level: ContextLevel): Promise<DiffInContext> {
  const unchanged = { text: diff, costs: null };
  const parsed = diff.length > mostBytes ? null : parseUnifiedDiff(diff);
  if (parsed === null || parsed.faults.length > 0 || parsed.preamble.length > 0) return unchanged;
  const known = parsed.files.filter(hasMore);
  if (known.length === 0 || known.length > mostFiles) return unchanged;
  const blobs = await view.objects.blobs(known.map(({ newBlob }) => newBlob ?? ''));
  const texts = new Map(known.map((file, index) => [file, blobs[index]?.toString('utf8') ?? null]));
  const { files, costs } = widenChange(parsed.files, (file) => texts.get(file) ?? null, level);
  return { text: files.map(renderDiffFile).join(''), costs };
}

function hasMore({ newBlob, change, hunks }: DiffFile): boolean {
  return newBlob !== null && hunks.length > 0 && change !== 'added' && change !== 'deleted';
}
