import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { ClaimClass } from '../../tags/claims.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { placeIssue } from './anchors.ts';

/** Consecutive lines of the new side of one hunk. Blank lines alone cannot be quoted. */
export interface Passage {
  readonly file: DiffFile;
  readonly lines: readonly DiffLine[];
}

/** Returns all passages of 1 to 3 lines. */
export function passagesOf(files: readonly DiffFile[]): readonly Passage[] {
  return files.flatMap((file) =>
    file.hunks.flatMap((hunk) => {
      const lines = hunk.lines.filter(({ newLine }) => newLine !== null);
      return lines.flatMap((_, start) =>
        [1, 2, 3]
          .map((length) => ({ file, lines: lines.slice(start, start + length) }))
          .filter((passage, index) => passage.lines.length === index + 1)
          .filter((passage) => passage.lines.some(({ text }) => saysSomething(text))),
      );
    }),
  );
}

export function issueAt(
  passage: Passage | undefined,
  claim: {
    readonly line?: number | null;
    readonly title?: string;
    readonly text?: string;
    readonly class?: ClaimClass | undefined;
  },
): ReviewIssue {
  const [first] = passage?.lines ?? [];
  const line = claim.line === undefined ? (first?.newLine ?? null) : claim.line;
  return {
    severity: 'important',
    severityInferred: false,
    title: claim.title ?? 'A title',
    text: claim.text ?? 'A text.',
    location: { path: passage?.file.path ?? '', startLine: line, endLine: line },
    quote: { text: passage?.lines.map(({ text }) => text).join('\n') ?? '', side: 'new' },
    remedy: null,
    ...(claim.class === undefined ? {} : { claim: claim.class }),
  };
}

export function placeOf(passage: Passage, files: readonly DiffFile[]) {
  return placeIssue(issueAt(passage, {}), files);
}

export function isSame(place: ReturnType<typeof placeIssue>, { file, lines }: Passage): boolean {
  return (
    place.path === file.path &&
    place.side === 'new' &&
    place.placement === 'exact' &&
    place.startLine === lines[0]?.newLine &&
    place.endLine === lines.at(-1)?.newLine
  );
}

/** Three dots represent omitted lines if nothing else is quoted. */
function saysSomething(text: string): boolean {
  return !/^\s*(?:\/\/)?\s*(?:\.{3}|…)?\s*$/u.test(text);
}
