/** The actions of a reader on findings, and the dialog that is open for one. */
import { useMemo, useState } from 'react';
import { countsInOutcome, type ReviewResult } from '../../../src/client/run-events.ts';
import { noDismissals } from './dismiss/use-dismissals.ts';
import { noFixes } from './fix/fix-news.ts';
import type { ReviewActions, ReviewRequests } from './review-requests.ts';

/** The open dialog and its finding; null for a fix without a finding that is chosen at first. */
type OpenDialog =
  | { readonly kind: 'fix'; readonly finding: string | null }
  | { readonly kind: 'dismiss'; readonly finding: string }
  | null;

export interface UsedActions {
  readonly actions: ReviewActions;
  readonly dialog: OpenDialog;
  /** False until a dialog is opened for the first time: their script is loaded then. */
  readonly isNeeded: boolean;
  readonly close: () => void;
}

/** Only findings of a review that has ended can be fixed or dismissed. */
export function useActions(result: ReviewResult, requests: ReviewRequests | null): UsedActions {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [isNeeded, setNeeded] = useState(false);
  const isOver = requests !== null && result.state === 'ended';
  const canFix = isOver && result.findings.some(countsInOutcome);
  const fixes = requests?.fixes ?? noFixes;
  const dismissals = requests?.dismissals ?? noDismissals;
  const actions = useMemo<ReviewActions>(() => {
    const open = (next: NonNullable<OpenDialog>) => {
      setNeeded(true);
      setDialog(next);
    };
    return {
      fixes,
      dismissals,
      openFix: canFix ? (finding) => open({ kind: 'fix', finding }) : null,
      openDismiss(finding) {
        if (dismissals.open.has(finding)) open({ kind: 'dismiss', finding });
      },
    };
  }, [fixes, dismissals, canFix]);
  return { actions, dialog, isNeeded, close: () => setDialog(null) };
}
