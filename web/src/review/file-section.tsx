/** One file of the change with its findings: open or closed, its lines folded if it is long. */
import { memo, startTransition, use, useMemo, useState, type ReactElement } from 'react';
import type { FileStatus, Finding } from '../../../src/client/run-events.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { visibleName, type DiffFile } from '../../../src/client/review.ts';
import { Alert } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { PathText } from '../design/path-text.tsx';
import { closed, opened } from '../design/icons.ts';
import { headingOf } from './change-lines.ts';
import { useCodeColors } from './code-colors.ts';
import { ChosenLayout } from './diff-layout.tsx';
import { FindingCard } from './finding-card.tsx';
import { cutSections, foldLines, openedAtOnce, type OpenedLines, type DiffSection } from './fold-lines.ts';
import { DiffNote, DiffTable, HunkLines } from './lines/diff-table.tsx';
import { gapRows } from './lines/gap-row.tsx';
import { useLineWords } from './lines/line-words.ts';
import { useGaps } from './lines/use-gaps.ts';
import type { PlacedFile } from './place-findings.ts';
import { useReviewWords, type ReviewWords } from './review-words.ts';

export interface FileSectionProps extends PlacedFile {
  /** Is null if the result does not name the file. */
  readonly status: FileStatus | null;
  readonly reason: string | null;
  readonly isOpen: boolean;
  /** How many of its lines are drawn. */
  readonly lines: number;
  readonly onToggle: (id: string) => void;
  readonly linkTo: (finding: string) => string;
}

export const FileSection = memo(function FileSection(props: FileSectionProps): ReactElement {
  const { id, isOpen, file, lines } = props;
  return (
    <article className="file" id={id} aria-labelledby={`${id}-name`}>
      <FileHead {...props} />
      {isOpen && (
        <div className="file-body" id={`${id}-body`}>
          <FileNotes {...props} />
          {file.hunks.length > 0 && lines > 0 && <FileDiff {...props} />}
        </div>
      )}
    </article>
  );
});

function FileHead({ id, file, status, isOpen, onToggle, findings }: FileSectionProps): ReactElement {
  const words = useReviewWords();
  const all = findings.ofFile.length + [...findings.byLine.values()].flat().length;
  const counts = lineCounts(file);
  return (
    <header>
      <h3 id={`${id}-name`}>
        <Button
          kind="bare"
          icon={isOpen ? opened : closed}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-body` : undefined}
          onClick={() => onToggle(id)}
        >
          <code>
            <PathText text={visibleName(file.path)} />
          </code>
        </Button>
      </h3>
      <span className="change">{words.change[file.change]}</span>
      {file.oldPath !== null && file.oldPath !== file.path && (
        <span className="renamed">{words.renamedFrom(visibleName(file.oldPath))}</span>
      )}
      <span className="line-counts" role="img" aria-label={words.lineCounts(counts.added, counts.removed)}>
        <span className="added">+{counts.added}</span> <span className="removed">−{counts.removed}</span>
      </span>
      {status !== null && <span className={`status ${status}`}>{words.status[status]}</span>}
      {all > 0 && <span className="finding-count">{words.findingCount(all)}</span>}
    </header>
  );
}

function lineCounts({ hunks }: DiffFile): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const { kind } of hunks.flatMap(({ lines }) => lines)) {
    if (kind === 'added') added += 1;
    if (kind === 'removed') removed += 1;
  }
  return { added, removed };
}

/** Shows notes on the file as a whole. */
function FileNotes({ file, reason, findings, linkTo }: FileSectionProps): ReactElement {
  const note = noteOn(file, useReviewWords());
  return (
    <>
      {reason !== null && <p className="reason">{visibleName(reason)}</p>}
      {note !== null && <p className="note">{note}</p>}
      <Cards findings={findings.ofFile} linkTo={linkTo} />
    </>
  );
}

function noteOn({ binary, hunks, change, oldMode, newMode }: DiffFile, words: ReviewWords): string | null {
  if (hunks.length > 0) return null;
  if (binary) return words.binary;
  if (change === 'mode_changed') return words.onlyMode(oldMode ?? '?', newMode ?? '?');
  return change === 'renamed' || change === 'copied' ? words.onlyName : words.emptyFile;
}

function FileDiff({ file, findings, lines, linkTo }: FileSectionProps): ReactElement {
  const words = useReviewWords();
  const lineWords = useLineWords();
  const [openedLines, setOpened] = useState<readonly OpenedLines[]>([]);
  const sections = useMemo(
    () => cutSections(foldLines(file, findings.marked, openedLines), lines),
    [file, findings, openedLines, lines],
  );
  const { gaps, whole, isLoading, failure, open } = useGaps(file);
  const tokens = useCodeColors(whole, file);
  const chosen = use(ChosenLayout);
  const layout = hasTwoSides(file) ? chosen : 'unified';
  const cards = useMemo(
    () =>
      new Map(
        [...findings.byLine].map(([key, list]) => [key, <Cards key={key} findings={list} linkTo={linkTo} />]),
      ),
    [findings, linkTo],
  );
  return (
    <>
      {/* Only a focused element can be scrolled by keys. */}
      <div
        className="scrolling"
        role="group"
        aria-label={words.changeOf(visibleName(file.path))}
        aria-busy={isLoading}
        tabIndex={0}
      >
        <DiffTable layout={layout} tokens={tokens} marked={findings.marked} cards={cards}>
          {sections.flatMap((section) => [
            ...(section.kind === 'lines' && section.beginsHunk
              ? gapRows(gaps, numberOf(section.hunk, file), open)
              : []),
            ...rowsOf(section, words, (range) =>
              startTransition(() => setOpened((before) => [...before, range])),
            ),
          ])}
          {lines === Infinity && gapRows(gaps, file.hunks.length, open)}
        </DiffTable>
      </div>
      {failure !== null && (
        <Alert>
          {lineWords.failed} {neutralise(failure)}
        </Alert>
      )}
    </>
  );
}

/** Beside the lines of a file that was added or removed as a whole, half of the width would be empty. */
function hasTwoSides({ change }: DiffFile): boolean {
  return change !== 'added' && change !== 'deleted';
}

/** A part of a folded hunk has the beginning of the whole one. */
function numberOf({ oldStart, newStart }: DiffFile['hunks'][number], { hunks }: DiffFile): number {
  return hunks.findIndex((hunk) => hunk.newStart === newStart && hunk.oldStart === oldStart);
}

function rowsOf(
  section: DiffSection,
  words: ReviewWords,
  onOpen: (range: OpenedLines) => void,
): readonly ReactElement[] {
  if (section.kind === 'folded') {
    const { from, count } = section;
    const more = Math.min(count, openedAtOnce);
    return [
      <DiffNote key={`folded ${from}`} className="folded">
        {words.folded(count)}{' '}
        <Button size="small" onClick={() => onOpen({ from, to: from + more })}>
          {words.showMore(more)}
        </Button>
      </DiffNote>,
    ];
  }
  const { hunk, beginsHunk } = section;
  const [first] = hunk.lines;
  const key = `${first?.oldLine ?? '-'} ${first?.newLine ?? '-'}`;
  return [
    ...(beginsHunk
      ? [
          <DiffNote key={`head ${key}`} className="hunk-head">
            {headingOf(hunk)}
          </DiffNote>,
        ]
      : []),
    <HunkLines key={key} hunk={hunk} />,
  ];
}

interface CardsProps {
  readonly findings: readonly Finding[];
  readonly linkTo: (finding: string) => string;
}

export function Cards({ findings, linkTo }: CardsProps): ReactElement {
  return (
    <>
      {findings.map((finding) => (
        <FindingCard key={finding.id} finding={finding} link={linkTo(finding.id)} />
      ))}
    </>
  );
}
