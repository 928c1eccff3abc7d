/** The dialogs by which a reader acts on findings: fix them, dismiss one. */
import { useEffect, useState, type ReactElement } from 'react';
import type { Finding, ReviewResult } from '../../../src/client/run-events.ts';
import { DismissDialog } from './dismiss/dismiss-dialog.tsx';
import { focusCard } from './finding-card.tsx';
import { FixDialog } from './fix/fix-dialog.tsx';
import type { ReviewRequests } from './review-requests.ts';
import type { UsedActions } from './use-actions.ts';

export interface ActionDialogsProps extends Pick<UsedActions, 'dialog' | 'close'> {
  readonly result: ReviewResult;
  /** The findings that can be chosen for a fix. */
  readonly listed: readonly Finding[];
  readonly requests: ReviewRequests;
}

export function ActionDialogs(props: ActionDialogsProps): ReactElement {
  const { dialog, close, result, listed, requests } = props;
  const dismissing = dialog?.kind === 'dismiss' ? dialog.finding : null;
  const [dismissed, setDismissed] = useState<string | null>(null);
  // The dialog returns the focus to its button, which is gone with the next news.
  useEffect(() => {
    if (dismissing === null && dismissed !== null) focusCard(dismissed);
  }, [dismissing, dismissed]);
  return (
    <>
      <FixDialog
        findings={listed}
        first={dialog?.finding ?? null}
        isOpen={dialog?.kind === 'fix'}
        onClose={close}
        fix={requests.fix}
      />
      <DismissDialog
        finding={result.findings.find(({ id }) => id === dismissing) ?? null}
        onClose={close}
        dismiss={async (finding, reason) => {
          const failure = await requests.dismiss(finding, reason);
          if (failure === null) setDismissed(finding);
          return failure;
        }}
      />
    </>
  );
}
