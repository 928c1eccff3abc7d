/** Shows a review as a page: its outcome, its findings by severity and at their lines, and every file of the change. */
import { useDeferredValue, useEffect, useMemo, useState, type ReactElement } from 'react';
import type { ReviewResult, Severity } from '../../../src/client/run-events.ts';
import { severities } from '../../../src/client/review.ts';
import { Empty } from '../design/placeholder.tsx';
import { ShareBar } from '../design/share-bar.tsx';
import { latePart } from '../late-part.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { chooseFindings, stepTo } from './choose-findings.ts';
import { ChosenLayout, useDiffLayout } from './diff-layout.tsx';
import { Cards, FileSection } from './file-section.tsx';
import { FileTable } from './file-table.tsx';
import { focusCard, SelectedFinding } from './finding-card.tsx';
import { FixNotice, FixReport } from './fix/fix-report.tsx';
import { fileCounts, fileShares, OutcomeBanner } from './outcome-banner.tsx';
import { KeyHelp, useReviewKeys, type ReviewKey } from './review-keys.tsx';
import { ActionsOnReview, type ReviewActions, type ReviewRequests } from './review-requests.ts';
import { ReviewSide } from './review-side.tsx';
import { ReviewTools } from './review-tools.tsx';
import { useReviewWords } from './review-words.ts';
import type { FileTreeProps } from './tree/file-tree.tsx';
import { useActions } from './use-actions.ts';
import { fileOfFinding, useChange, type ShownChange } from './use-change.ts';

/** Loaded when a reader opens the first one. */
const ActionDialogs = latePart(async () => (await import('./action-dialogs.tsx')).ActionDialogs);

export interface ReviewViewProps {
  readonly result: ReviewResult;
  /** The change under review as a unified diff; null if there is none to show. */
  readonly diff: string | null;
  /** Id of the finding in the address; null for none. */
  readonly selected: string | null;
  /** Writes the finding to the address. */
  readonly onSelect: (finding: string) => void;
  /**
   * Returns the address of a finding: it shows the same one after a reload, and to other readers. A different function
   * redraws every file.
   */
  readonly linkTo: (finding: string) => string;
  /** The requests that its reader can send; null on a page that only shows the review. */
  readonly requests?: ReviewRequests | null;
}

export function ReviewView(props: ReviewViewProps): ReactElement {
  const { result, diff, selected, onSelect, linkTo, requests = null } = props;
  const words = useReviewWords();
  const [shown, setShown] = useState<ReadonlySet<Severity>>(new Set(severities));
  const layout = useDiffLayout();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { actions, isNeeded, ...dialogs } = useActions(result, requests);
  const { openFix } = actions;
  const lists = useMemo(() => chooseFindings(result.findings, shown), [result.findings, shown]);
  // The filter answers at once; the lines follow.
  const drawn = useDeferredValue(lists);
  const findings = useMemo(() => [...drawn.counted, ...drawn.known], [drawn]);
  const hasSelected = selected !== null;
  const change = useChange({ diff, findings, covered: result.coverage.files, hasSelected });
  const fileLines = linesOf(change);
  useSelectedInSight(change, selected);
  const step = (direction: 1 | -1) => {
    const next = stepTo(lists, selected, direction);
    if (next === selected) focusCard(next);
    else if (next !== null) onSelect(next);
  };
  useReviewKeys((key) => {
    switch (key) {
      case 'help':
        return setHelpOpen(true);
      case 'fix':
        return openFix?.(selected);
      case 'dismiss':
        return selected === null ? undefined : actions.openDismiss(selected);
      case 'next':
        return step(1);
      case 'previous':
        return step(-1);
    }
  });
  return (
    <div className="review">
      <OutcomeBanner result={result} />
      <FixNotice active={actions.fixes.active} />
      <FixReport fix={result.fix} workflow={result.workflow} />
      <ReviewTools
        {...{ result, lists, shown, selected, layout }}
        onFix={openFix === null ? null : () => openFix(selected)}
        hasLines={change.files.length > 0}
        onShow={setShown}
        onStep={step}
        onHelp={() => setHelpOpen(true)}
      />
      <KeyHelp without={unusedKeys(actions)} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      {requests !== null && isNeeded && (
        <ActionDialogs fallback={null} {...{ result, requests }} {...dialogs} listed={lists.counted} />
      )}
      <ReviewSide
        list={{ lists, selected, linkTo, onSelect, all: result.findings.length }}
        tree={{ files: result.coverage.files, findings, ...fileLines }}
      />
      <ActionsOnReview value={actions}>
        <SelectedFinding value={selected}>
          <div className="review-lines">
            {change.unplaced.length > 0 && (
              <section aria-label={words.unplaced} className="unplaced">
                <h3>{words.unplaced}</h3>
                <Cards findings={change.unplaced} linkTo={linkTo} />
              </section>
            )}
            <ChosenLayout value={layout.drawn}>
              <Files {...{ result, diff, change, fileLines, linkTo }} />
            </ChosenLayout>
          </div>
        </SelectedFinding>
      </ActionsOnReview>
      <Remarks title={words.suggestions} items={result.suggestions} />
      <Remarks title={words.strengths} items={result.strengths} />
    </div>
  );
}

/** Returns the keys that do nothing here. */
function unusedKeys({ openFix, dismissals }: ReviewActions): ReadonlySet<ReviewKey> {
  return new Set<ReviewKey>([
    ...(openFix === null ? (['fix'] as const) : []),
    ...(dismissals.open.size === 0 ? (['dismiss'] as const) : []),
  ]);
}

/** Opens the finding's file and focuses the finding: after a reload as after a key. */
function useSelectedInSight(change: ShownChange, selected: string | null): void {
  const home = selected === null ? null : fileOfFinding(change, selected);
  const isThere = selected !== null && (home === null || (change.isWhole && change.isOpen(home)));
  const { open } = change;
  useEffect(() => {
    if (home !== null) open(home);
  }, [home, selected, open]);
  useEffect(() => {
    if (isThere) focusCard(selected);
  }, [isThere, selected]);
}

interface FilesProps extends Pick<ReviewViewProps, 'result' | 'diff' | 'linkTo'> {
  readonly change: ShownChange;
  readonly fileLines: FileLines;
}

function Files({ result, diff, change, linkTo, fileLines }: FilesProps): ReactElement {
  const words = useReviewWords();
  const covered = result.coverage.files;
  const byPath = new Map(covered.map((file) => [file.path, file]));
  return (
    <section className="change-files" aria-labelledby="change-files-head">
      <h3 id="change-files-head">{words.files}</h3>
      <ShareBar shares={fileShares(covered)} />
      <details open={covered.some(isUnexpected)}>
        <summary>{fileCounts(covered, words).join(', ')}</summary>
        <FileTable
          files={covered}
          findingsIn={(path) => result.findings.filter((finding) => finding.path === path).length}
          {...fileLines}
        />
      </details>
      {diff === null && <Empty>{words.noChange}</Empty>}
      {change.files.map((placed) => (
        <FileSection
          key={placed.id}
          {...placed}
          status={byPath.get(placed.file.path)?.status ?? null}
          reason={byPath.get(placed.file.path)?.reason ?? null}
          isOpen={change.isOpen(placed.id)}
          lines={change.linesOf(placed.id)}
          onToggle={change.toggle}
          linkTo={linkTo}
        />
      ))}
    </section>
  );
}

type FileLines = Pick<FileTreeProps, 'idOf' | 'onOpen'>;

/** Returns how to find the lines of a file, and how to show them. */
function linesOf(change: ShownChange): FileLines {
  const ids = new Map(change.files.map(({ id, file }) => [file.path, id]));
  return {
    idOf: (path) => ids.get(path) ?? null,
    onOpen(id) {
      change.open(id);
      document.getElementById(id)?.scrollIntoView();
      document.getElementById(`${id}-name`)?.querySelector('button')?.focus({ preventScroll: true });
    },
  };
}

/** Returns true for a file that was not reviewed, although the user did not ask for that: it must be seen at once. */
function isUnexpected({ status, skipped_by: by }: CoveredFile): boolean {
  return status === 'failed' || by === 'repository';
}

type CoveredFile = ReviewResult['coverage']['files'][number];

function Remarks({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title} className="remarks">
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>
            <Markdown text={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}
