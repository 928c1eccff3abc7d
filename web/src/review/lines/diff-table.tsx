/**
 * The lines of one file as a table, in one column of code or in two. The library that colors them is loaded in the worker
 * alone: here it would be 16 kB of the first view's script, and each of its rows has handlers that no reader needs.
 */
import { createContext, Fragment, memo, use, useMemo, type ReactElement, type ReactNode } from 'react';
import type { HunkTokens } from 'react-diff-view';
import type { DiffLine, Hunk } from '../../../../src/client/review.ts';
import { keyOf, type LineKey } from '../change-lines.ts';
import type { DiffLayout } from '../diff-layout.tsx';
import { pairLines } from './pair-lines.ts';
import { SplitLine, UnifiedLine } from './line-rows.tsx';

export interface DrawnLines {
  readonly layout: DiffLayout;
  /** Colors of the lines; null until the worker has sent them. */
  readonly tokens: HunkTokens | null;
  /** Lines that a finding is about. */
  readonly marked: ReadonlySet<LineKey>;
  /** Drawn below their line. */
  readonly cards: ReadonlyMap<LineKey, ReactNode>;
}

const Drawn = createContext<DrawnLines>({
  layout: 'unified',
  tokens: null,
  marked: new Set(),
  cards: new Map(),
});

interface DiffTableProps extends DrawnLines {
  /** `HunkLines` and `DiffNote`, in their order. */
  readonly children: ReactNode;
}

export function DiffTable({ layout, tokens, marked, cards, children }: DiffTableProps): ReactElement {
  const drawn = useMemo(() => ({ layout, tokens, marked, cards }), [layout, tokens, marked, cards]);
  return (
    <Drawn value={drawn}>
      <table className={`diff diff-${layout}`}>
        <colgroup>
          <col className="diff-gutter-col" />
          {layout === 'split' && <col />}
          <col className="diff-gutter-col" />
          <col />
        </colgroup>
        {children}
      </table>
    </Drawn>
  );
}

/** A row between lines. */
export function DiffNote({
  className,
  children,
}: {
  readonly className: string;
  readonly children: ReactNode;
}): ReactElement {
  const { layout } = use(Drawn);
  return (
    <tbody className={`diff-decoration ${className}`}>
      <tr>
        <td className="diff-decoration-content" colSpan={columnsOf(layout)}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

export const HunkLines = memo(function HunkLines({
  hunk: { lines },
}: {
  readonly hunk: Pick<Hunk, 'lines'>;
}): ReactElement {
  const drawn = use(Drawn);
  return (
    <tbody>
      {drawn.layout === 'unified' ? <OneColumn {...{ lines, drawn }} /> : <Two {...{ lines, drawn }} />}
    </tbody>
  );
});

interface ColumnProps {
  readonly lines: readonly DiffLine[];
  readonly drawn: DrawnLines;
}

function OneColumn({ lines, drawn }: ColumnProps): ReactElement {
  return (
    <>
      {lines.map((line) => {
        const key = keyOf(line);
        const card = drawn.cards.get(key);
        return (
          <Fragment key={key}>
            <UnifiedLine line={line} tokens={tokensOf(line, drawn)} isMarked={drawn.marked.has(key)} />
            {card !== undefined && <CardRow columns={[card]} layout="unified" />}
          </Fragment>
        );
      })}
    </>
  );
}

function Two({ lines, drawn }: ColumnProps): ReactElement {
  const cardOf = (line: DiffLine | null) => (line === null ? undefined : drawn.cards.get(keyOf(line)));
  const isMarked = (line: DiffLine | null) => line !== null && drawn.marked.has(keyOf(line));
  return (
    <>
      {pairLines(lines).map(([old, added]) => {
        const cards = old === added ? [cardOf(old)] : [cardOf(old), cardOf(added)];
        return (
          <Fragment key={[old, added].map((line) => (line === null ? '' : keyOf(line))).join(' ')}>
            <SplitLine
              old={old}
              added={added}
              oldTokens={old === null ? undefined : drawn.tokens?.old[(old.oldLine ?? 0) - 1]}
              newTokens={added === null ? undefined : drawn.tokens?.new[(added.newLine ?? 0) - 1]}
              isOldMarked={isMarked(old)}
              isNewMarked={isMarked(added)}
            />
            {cards.some((card) => card !== undefined) && <CardRow columns={cards} layout="split" />}
          </Fragment>
        );
      })}
    </>
  );
}

function tokensOf({ kind, oldLine, newLine }: DiffLine, { tokens }: DrawnLines) {
  return kind === 'removed' ? tokens?.old[(oldLine ?? 0) - 1] : tokens?.new[(newLine ?? 0) - 1];
}

interface CardRowProps {
  readonly columns: readonly ReactNode[];
  readonly layout: DiffLayout;
}

function CardRow({ columns, layout }: CardRowProps): ReactElement {
  return (
    <tr className="diff-widget">
      {columns.map((card, index) => (
        // A side never changes its place.
        <td key={index} className="diff-widget-content" colSpan={columnsOf(layout) / columns.length}>
          {card}
        </td>
      ))}
    </tr>
  );
}

function columnsOf(layout: DiffLayout): number {
  return layout === 'unified' ? 3 : 4;
}
