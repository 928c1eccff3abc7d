/** The row of one line. It is drawn again only when its own line changes: a file may have thousands. */
import { memo, type ReactElement, type ReactNode } from 'react';
import type { HunkTokens } from 'react-diff-view';
import type { DiffLine } from '../../../../src/client/review.ts';
import { shownText } from '../change-lines.ts';
import { useReviewWords } from '../review-words.ts';

type LineTokens = HunkTokens['old'][number] | undefined;

interface UnifiedLineProps {
  readonly line: DiffLine;
  readonly tokens: LineTokens;
  readonly isMarked: boolean;
}

export const UnifiedLine = memo(function UnifiedLine({
  line,
  tokens,
  isMarked,
}: UnifiedLineProps): ReactElement {
  const { oldLine, newLine } = line;
  return (
    <tr className="diff-line">
      <Gutter line={line} isMarked={isMarked}>
        {oldLine}
      </Gutter>
      <Gutter line={line} isMarked={isMarked}>
        {newLine}
        <Side line={line} />
      </Gutter>
      <Code line={line} tokens={tokens} />
    </tr>
  );
});

interface SplitLineProps {
  readonly old: DiffLine | null;
  readonly added: DiffLine | null;
  readonly oldTokens: LineTokens;
  readonly newTokens: LineTokens;
  readonly isOldMarked: boolean;
  readonly isNewMarked: boolean;
}

export const SplitLine = memo(function SplitLine({
  old,
  added,
  oldTokens,
  newTokens,
  isOldMarked,
  isNewMarked,
}: SplitLineProps): ReactElement {
  return (
    <tr className="diff-line">
      <HalfLine line={old} number={old?.oldLine} tokens={oldTokens} isMarked={isOldMarked} />
      <HalfLine line={added} number={added?.newLine} tokens={newTokens} isMarked={isNewMarked} />
    </tr>
  );
});

interface HalfLineProps {
  readonly line: DiffLine | null;
  readonly number: number | null | undefined;
  readonly tokens: LineTokens;
  readonly isMarked: boolean;
}

function HalfLine({ line, number, tokens, isMarked }: HalfLineProps): ReactElement {
  if (line === null)
    return (
      <>
        <td className="diff-gutter diff-gutter-omit" />
        <td className="diff-code diff-code-omit" />
      </>
    );
  return (
    <>
      <Gutter line={line} isMarked={isMarked}>
        {number}
        <Side line={line} />
      </Gutter>
      <Code line={line} tokens={tokens} />
    </>
  );
}

interface GutterProps {
  readonly line: DiffLine;
  readonly isMarked: boolean;
  readonly children: ReactNode;
}

function Gutter({ line, isMarked, children }: GutterProps): ReactElement {
  return (
    <td className={`diff-gutter diff-gutter-${typeOf[line.kind]}${isMarked ? ' diff-gutter-selected' : ''}`}>
      {children}
    </td>
  );
}

/** The sign before a line replaces its color, and a word replaces both for screen readers. */
function Side({ line: { kind } }: { readonly line: DiffLine }): ReactElement | null {
  const words = useReviewWords();
  return kind === 'context' ? null : <span className="for-listeners">{words[kind]}</span>;
}

interface CodeProps {
  readonly line: DiffLine;
  readonly tokens: LineTokens;
}

function Code({ line, tokens }: CodeProps): ReactElement {
  return (
    <td className={`diff-code diff-code-${typeOf[line.kind]}`}>
      {tokens?.map(drawToken) ?? (shownText(line.text) || ' ')}
    </td>
  );
}

const typeOf = { added: 'insert', removed: 'delete', context: 'normal' } as const;

/** A part of a line as the worker sends it. */
interface CodeToken {
  readonly type: string;
  readonly value?: string;
  readonly className?: string | readonly string[];
  /** The highlighter's own, before the library takes the class out of them. */
  readonly properties?: { readonly className?: string | readonly string[] };
  readonly children?: readonly CodeToken[];
}

function drawToken({ type, value, className, properties, children }: CodeToken, index: number): ReactNode {
  if (type === 'text') return value;
  const names =
    type === 'edit' ? 'diff-code-edit' : [className ?? properties?.className ?? []].flat().join(' ');
  return (
    <span key={index} className={names}>
      {value !== undefined && value !== '' ? value : children?.map(drawToken)}
    </span>
  );
}
