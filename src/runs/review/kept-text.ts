/** The whole text of a changed file at the state under review, from the tree that the review kept for its agents. */
import { readableBlob } from '../../git/review-folder/plan-folder.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { seemsMasked } from '../../secrets/text-range.ts';
import { stateBase } from '../../system/state-base.ts';
import { decodeText } from '../../tools/files/read-text.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { withStore } from '../folder/repository-store.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';

export type KeptText =
  /** Secrets are masked, as in the diff. */
  | { readonly kind: 'text'; readonly text: string }
  /** The change has no such file on its new side. */
  | { readonly kind: 'no_file' }
  /** `why`: a sentence without its full stop. */
  | { readonly kind: 'not_kept'; readonly why: string };

export interface NamedText {
  readonly input: Pick<ReviewRunInput, 'change'>;
  readonly path: string;
}

export interface KeptTextOptions extends NamedText {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the text from the store of this machine. */
export async function readKeptText({ env, ...named }: KeptTextOptions): Promise<KeptText> {
  return keptTextIn(named, ({ root, tree, path }) =>
    withStore(stateBase({ env }), root, async (store) => {
      const entry = store?.trees.get(tree)?.entries.find((one) => one.path === path);
      if (store === null || entry === undefined) return null;
      const blob = readableBlob(entry);
      return blob === null ? null : store.blobs.get(blob);
    }),
  );
}

export interface KeptPlace {
  readonly root: string;
  readonly tree: string;
  readonly path: string;
}

/**
 * Reads only files of the change: their text belongs to what the reader sees anyway. A diff from elsewhere could name any
 * file, so that it gives no text. `read` returns null for a file that is not kept.
 */
export async function keptTextIn(
  { input, path }: NamedText,
  read: (place: KeptPlace) => Promise<Uint8Array | null>,
): Promise<KeptText> {
  const { kind, files, diff } = input.change;
  const file = parseUnifiedDiff(diff).files.findLast((one) => one.path === path && one.change !== 'deleted');
  if (file === undefined) return { kind: 'no_file' };
  if (kind === 'stdin' || kind === 'file') return notKept('its change is a diff from elsewhere');
  const tree = files?.tree;
  if (files === null || tree === undefined) return notKept('it kept no files');
  const bytes = await read({ root: files.root, tree, path });
  if (bytes === null) return notKept(`it did not keep ${path}, or does not any more`);
  const decoded = decodeText(bytes, path);
  if (!decoded.ok) return notKept(decoded.why.replace(/\.$/, ''));
  const text = masked(decoded.text);
  return hasLinesOf(text, file) ? { kind: 'text', text } : notKept(`${path} has other lines than the change`);
}

function notKept(why: string): KeptText {
  return { kind: 'not_kept', why };
}

/** A masked value may be longer or shorter in the whole file than in the diff, which does not show all that is around it. */
function hasLinesOf(text: string, { hunks }: Pick<DiffFile, 'hunks'>): boolean {
  const lines = text.split('\n').map(bare);
  return hunks
    .flatMap((hunk) => hunk.lines)
    .every(({ newLine, text: shown }) => {
      if (newLine === null) return true;
      const there = lines[newLine - 1];
      return there !== undefined && (there === bare(shown) || seemsMasked(there) || seemsMasked(shown));
    });
}

function bare(line: string): string {
  return line.replace(/^\uFEFF/, '').replace(/\r$/, '');
}
