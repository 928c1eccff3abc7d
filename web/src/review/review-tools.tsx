/** Tools for the findings of a review: filter them, move between them, copy them. */
import { useCallback, useId, type ComponentProps, type ReactElement, type RefCallback } from 'react';
import type { ReviewResult, Severity } from '../../../src/client/run-events.ts';
import { workOrderMaker } from '../../../src/client/review.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { above, below, fix, keys } from '../design/icons.ts';
import { LayoutButtons, type LayoutChoice } from './diff-layout.tsx';
import { useFixWords } from './fix/fix-words.ts';
import { countSeverities, type FindingLists } from './choose-findings.ts';
import { useReviewWords } from './review-words.ts';
import { SeverityFilter } from './severity-filter.tsx';

export interface ReviewToolsProps {
  readonly result: ReviewResult;
  readonly lists: FindingLists;
  readonly shown: ReadonlySet<Severity>;
  readonly selected: string | null;
  readonly layout: LayoutChoice;
  /** There is a change to lay out. */
  readonly hasLines: boolean;
  readonly onShow: (shown: ReadonlySet<Severity>) => void;
  readonly onStep: (direction: 1 | -1) => void;
  readonly onHelp: () => void;
  /** Opens the dialog of a fix; null if there is nothing to fix. */
  readonly onFix: (() => void) | null;
}

export function ReviewTools(props: ReviewToolsProps): ReactElement | null {
  const { result, lists, shown, selected, layout, hasLines, onShow, onStep, onHelp, onFix } = props;
  const words = useReviewWords();
  const fixWords = useFixWords();
  const ids = [...lists.counted, ...lists.known].map(({ id }) => id);
  const ref = useHeightInStyles();
  const at = selected === null ? 0 : ids.indexOf(selected) + 1;
  const layouts = hasLines ? <LayoutButtons chosen={layout.chosen} choose={layout.choose} /> : null;
  if (result.findings.length === 0)
    return layouts === null ? null : (
      <div className="review-tools" ref={ref}>
        {layouts}
      </div>
    );
  return (
    <div className="review-tools" ref={ref} role="group" aria-label={words.findings}>
      <SeverityFilter counts={countSeverities(result.findings)} shown={shown} onChange={onShow} />
      <span className="steps">
        <SignButton
          icon={above}
          name={words.previous}
          pressed="p"
          disabled={ids.length === 0}
          onClick={() => onStep(-1)}
        />
        <span className="position">{words.position(at, ids.length)}</span>
        <SignButton
          icon={below}
          name={words.next}
          pressed="n"
          disabled={ids.length === 0}
          onClick={() => onStep(1)}
        />
      </span>
      {onFix !== null && (
        <Button size="small" icon={fix} onClick={onFix} aria-keyshortcuts="f">
          {fixWords.head} …
        </Button>
      )}
      <PromptButton result={result} />
      <SignButton icon={keys} name={words.keys} pressed="?" onClick={onHelp} />
      {layouts}
    </div>
  );
}

interface SignButtonProps extends Pick<ComponentProps<typeof Button>, 'icon' | 'disabled' | 'onClick'> {
  readonly name: string;
  /** The key that does the same. */
  readonly pressed: string;
}

/** A button with a sign alone; its name is for screen readers and for the pointer that rests on it. */
function SignButton({ name, pressed, ...rest }: SignButtonProps): ReactElement {
  return (
    <Button
      size="small"
      aria-label={name}
      title={`${name} (${pressed})`}
      aria-keyshortcuts={pressed}
      {...rest}
    />
  );
}

/** Passes the height to the style sheet: on a wide page the tools stay in sight, and must not cover what sticks below them. */
function useHeightInStyles(): RefCallback<HTMLElement> {
  return useCallback((tools: HTMLElement | null) => {
    if (tools === null || typeof ResizeObserver === 'undefined') return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--tools-height', `${tools.offsetHeight}px`));
    observer.observe(tools);
    return () => {
      observer.disconnect();
      style.removeProperty('--tools-height');
    };
  }, []);
}

/** Like `collab show --as-prompt`: for a review that has ended. */
function PromptButton({ result }: Pick<ReviewToolsProps, 'result'>): ReactElement | null {
  const words = useReviewWords();
  const remark = useId();
  const make = workOrderMaker();
  if (make === null || result.state !== 'ended') return null;
  const isIncomplete = result.outcome === 'incomplete';
  return (
    <>
      <CopyButton
        size="small"
        text={() => make(result.findings)}
        label={words.copy}
        aria-label={words.copyPrompt}
        aria-describedby={isIncomplete ? remark : undefined}
        title={isIncomplete ? `${words.copyPrompt}. ${words.mayBeMore}` : words.copyPrompt}
      />
      {isIncomplete && (
        <span id={remark} hidden>
          {words.mayBeMore}
        </span>
      )}
    </>
  );
}
