/** Shows one finding: the claim, the reason, the remedy and the remarks. */
import { createContext, memo, use, type ReactElement, type ReactNode } from 'react';
import { countsInOutcome, placeOfFinding, type Finding } from '../../../src/client/run-events.ts';
import { leadProofOf, workOrderMaker } from '../../../src/client/review.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { Button } from '../design/button.tsx';
import { Card } from '../design/card.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { fix, link as linkIcon } from '../design/icons.ts';
import { PathText } from '../design/path-text.tsx';
import { severityTones } from '../design/severity-mark.tsx';
import { CodeBlock } from '../markdown/code-block.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useDismissWords } from './dismiss/dismiss-words.ts';
import { FateLine } from './fix/fix-report.tsx';
import { useFixWords } from './fix/fix-words.ts';
import { ActionsOnReview } from './review-requests.ts';
import { useReviewWords, type ReviewWords } from './review-words.ts';
import { SeverityBadge } from './severity-badge.tsx';

export interface FindingCardProps {
  readonly finding: Finding;
  /** The address of this finding, which survives a reload. */
  readonly link: string;
}

/** Id of the selected finding. A context, so that a new selection redraws no line of the change. */
export const SelectedFinding = createContext<string | null>(null);

/** Can be focused: `n` and `p` move from one to the next. */
export function FindingCard({ finding, link }: FindingCardProps): ReactElement {
  const isSelected = use(SelectedFinding) === finding.id;
  const counts = countsInOutcome(finding);
  const id = cardId(finding.id);
  return (
    <Card
      id={id}
      tone={severityTones[finding.severity]}
      className={`finding${counts ? '' : ' known'}${isSelected ? ' selected' : ''}`}
      aria-labelledby={`${id}-title`}
      aria-current={isSelected ? 'true' : undefined}
      tabIndex={-1}
    >
      <CardContent finding={finding} link={link} />
      <CardActions finding={finding} />
    </Card>
  );
}

const CardContent = memo(function CardContent({ finding, link }: FindingCardProps): ReactElement {
  return (
    <>
      <CardHead finding={finding} id={cardId(finding.id)} />
      <Remarks finding={finding} />
      <CardBody finding={finding} />
      <CardFoot finding={finding} link={link} />
    </>
  );
});

/** Separate from the content: news of fixes and dismissals redraw no text. */
function CardActions({ finding }: Pick<FindingCardProps, 'finding'>): ReactElement | null {
  const [toFix, toDismiss] = [useFixWords(), useDismissWords()];
  const actions = use(ActionsOnReview);
  if (actions === null) return null;
  const { fixes, openFix, dismissals, openDismiss } = actions;
  const reason = dismissals.reasons.get(finding.id);
  return (
    <>
      <FateLine fate={fixes.fates.get(finding.id)} />
      {reason !== undefined && <p className="fate dismissed">{toDismiss.dismissed(neutralise(reason))}</p>}
      <div className="card-actions">
        {openFix !== null && countsInOutcome(finding) && (
          <Button size="small" icon={fix} onClick={() => openFix(finding.id)}>
            {toFix.open}
          </Button>
        )}
        {dismissals.open.has(finding.id) && (
          <Button size="small" onClick={() => openDismiss(finding.id)}>
            {toDismiss.open}
          </Button>
        )}
      </div>
    </>
  );
}

function cardId(finding: string): string {
  return `finding-${finding}`;
}

export function focusCard(finding: string | null): void {
  if (finding === null) return;
  const card = document.getElementById(cardId(finding));
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'center' });
}

function CardHead({ finding, id }: { readonly finding: Finding; readonly id: string }): ReactElement {
  const words = useReviewWords();
  const { severity, severity_inferred: isAssumed, claim, verdict } = finding;
  return (
    <header>
      <SeverityBadge severity={severity} />
      {isAssumed === true && <span className="remark">({words.assumed})</span>}
      {claim !== undefined && <span className="remark">{words.claim[claim]}</span>}
      <h4 id={`${id}-title`}>{neutralise(finding.title)}</h4>
      <code className="place">
        <PathText text={neutralise(placeOfFinding(finding))} />
      </code>
      <span className={`verdict ${verdict}`}>{words.verdict[verdict]}</span>
    </header>
  );
}

function Remarks({ finding }: { readonly finding: Finding }): ReactElement | null {
  const remarks = remarksOn(finding, useReviewWords());
  if (remarks.length === 0) return null;
  return (
    <ul className="remarks">
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  );
}

function remarksOn(finding: Finding, words: ReviewWords): readonly string[] {
  const {
    side,
    placement,
    path,
    baseline,
    suppressed,
    caused_by_fix: isByFix,
    replacement_unused: unused,
  } = finding;
  return [
    ...(side === 'old' ? [words.onOldSide] : []),
    ...(placement === 'loose' ? [words.loosePlace] : []),
    ...(placement === 'unplaced' && path !== null ? [words.notInChange] : []),
    ...(placement === 'file' ? [words.ofFile] : []),
    ...(baseline === true ? [words.inBaseline] : []),
    ...(suppressed === undefined ? [] : [suppressionRemark(suppressed, words)]),
    ...(isByFix === true ? [words.causedByFix] : []),
    ...(unused === undefined ? [] : [words.replacementUnused[unused]]),
  ];
}

function suppressionRemark(
  { reason, expires, expired }: NonNullable<Finding['suppressed']>,
  words: ReviewWords,
): string {
  const why = neutralise(reason);
  return expired ? words.suppressionExpired(expires ?? '?', why) : words.suppressed(expires, why);
}

function CardBody({ finding }: { readonly finding: Finding }): ReactElement {
  const words = useReviewWords();
  const { body, remedy = '', quote } = finding;
  return (
    <>
      <Part label={words.why} text={body} />
      <Part label={words.fix} text={remedy} />
      <Replacement text={finding.replacement} />
      <Evidence finding={finding} />
      {quote !== null && (
        <details open={finding.start_line === null}>
          <summary>{words.quotation}</summary>
          <CodeBlock language={null} code={neutralise(quote.replace(/\n$/, ''))} />
        </details>
      )}
    </>
  );
}

function Replacement({ text }: { readonly text: string | undefined }): ReactElement | null {
  const words = useReviewWords();
  if (text === undefined) return null;
  return (
    <Part label={words.replacement} text={text === '' ? words.removesLines : ''}>
      {text !== '' && <CodeBlock language={null} code={neutralise(text)} />}
    </Part>
  );
}

/** The code by which the lead rejects a finding is shown as code, with its place. */
function Evidence({ finding }: { readonly finding: Finding }): ReactElement | null {
  const words = useReviewWords();
  const proof = leadProofOf(finding);
  if (proof === null) return <Part label={words.evidence} text={finding.evidence ?? ''} />;
  return (
    <Part label={words.evidence} text={proof.reason}>
      <p>{words.proof(neutralise(proof.place))}</p>
      <CodeBlock language={null} code={neutralise(proof.code)} />
    </Part>
  );
}

interface PartProps {
  readonly label: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Part({ label, text, children }: PartProps): ReactElement | null {
  if (text.trim() === '' && children === undefined) return null;
  return (
    <div className="part">
      <h5>{label}</h5>
      <Markdown text={text} below="h5" />
      {children}
    </div>
  );
}

function CardFoot({ finding, link }: FindingCardProps): ReactElement {
  const words = useReviewWords();
  const makeOrder = workOrderMaker();
  return (
    <footer>
      {makeOrder !== null && (
        <CopyButton size="small" text={() => makeOrder([finding])} label={words.copyOnePrompt} />
      )}
      <CopyButton
        size="small"
        icon={linkIcon}
        text={() => Promise.resolve(new URL(link, location.href).href)}
        label={words.copyLink}
      />
    </footer>
  );
}
