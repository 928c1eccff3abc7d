/** Checks a patch from a job that is not trusted, and applies it to texts: exactly, or not at all. */
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { isFileMode } from './file-on-host.ts';

export type CheckedPatch =
  | { readonly files: readonly DiffFile[] }
  /** A sentence without its full stop. */
  | { readonly fault: string };

const mostFiles = 50;
/** Folders and files that decide what a host or git runs. */
const forbidden = [
  /^\.github$/i,
  /^\.git$/i,
  /\.gitlab-ci\.ya?ml$/i,
  /^\.gitlab$/i,
  /^\.gitmodules$/i,
  /^\.gitattributes$/i,
];

/** Accepts changed, added and deleted text files with plain paths. */
export function checkPatch(patch: string): CheckedPatch {
  const { files, faults } = parseUnifiedDiff(patch);
  const [fault] = faults;
  if (fault !== undefined) return { fault: `its patch is damaged at line ${fault.line}` };
  if (files.length === 0) return { fault: 'its patch changes no file' };
  if (files.length > mostFiles) return { fault: `its patch changes more than ${mostFiles} files` };
  const odd = files.map(oddityOf).find((found) => found !== null);
  return odd === undefined || odd === null ? { files } : { fault: odd };
}

function oddityOf({ path, oldPath, change, binary, oldMode, newMode, hunks }: DiffFile): string | null {
  const isPlain = ['added', 'deleted', 'modified'].includes(change) && (oldPath === null || oldPath === path);
  if (!isPlain || binary || hunks.length === 0) return 'its patch does more than change lines of a file';
  if ([oldMode, newMode].some((mode) => mode !== null && !isFileMode(mode)))
    return 'its patch changes something that is no file';
  if (change === 'modified' && oldMode !== newMode) return 'its patch changes the mode of a file';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:]|\p{Cc}/u.test(part)))
    return 'its patch has a path that leads elsewhere';
  // Systems differ in case, trailing dots and spaces, and invisible characters.
  const bare = parts.map((part) =>
    part
      .normalize('NFKC')
      .replaceAll(/[^\x21-\x7e]/g, '')
      .replace(/[. ]+$/, ''),
  );
  if (bare.some((part) => forbidden.some((name) => name.test(part))))
    return 'its patch changes a file that decides what is run';
  return null;
}

/** Returns null if the text does not have the patch's old lines at their places. An added file has the text null. */
export function applyFile(
  text: string | null,
  { change, hunks }: DiffFile,
): { readonly text: string | null } | null {
  if ((change === 'added') !== (text === null)) return null;
  const lines = text === null || text === '' ? [] : text.split('\n');
  const endsOpen = lines.length > 0 && lines.at(-1) !== '';
  if (lines.length > 0 && !endsOpen) lines.pop();
  const made: string[] = [];
  let at = 0;
  let endsOpenNow = endsOpen;
  for (const { lines: changed, oldStart, oldLines } of hunks) {
    const from = oldLines === 0 ? oldStart : oldStart - 1;
    if (from < at || from > lines.length) return null;
    made.push(...lines.slice(at, from));
    at = from;
    for (const line of changed) {
      if (line.kind !== 'added') {
        if (lines[at] !== line.text || (line.noNewline && (!endsOpen || at !== lines.length - 1)))
          return null;
        at += 1;
      }
      if (line.kind !== 'removed') made.push(line.text);
    }
    if (at === lines.length) endsOpenNow = lastOf(changed)?.noNewline ?? endsOpen;
  }
  made.push(...lines.slice(at));
  if (change === 'deleted') return made.length === 0 ? { text: null } : null;
  return { text: made.length === 0 ? '' : `${made.join('\n')}${endsOpenNow ? '' : '\n'}` };
}

/** The last line of the new side. */
function lastOf(lines: readonly DiffLine[]): DiffLine | undefined {
  return lines.findLast(({ kind }) => kind !== 'removed');
}
