/** Asks why a finding does not count, and dismisses it. */
import { useId, useRef, useState, type ReactElement } from 'react';
import { placeOfFinding, type Finding } from '../../../../src/client/run-events.ts';
import { neutralise } from '../../../../src/client/markdown.ts';
import { Alert } from '../../design/banner.tsx';
import { Dialog, DialogButtons } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { RefusalLine } from '../refusal-line.tsx';
import type { ReviewRequests } from '../review-requests.ts';
import { useSending } from '../send-request.ts';
import { SeverityBadge } from '../severity-badge.tsx';
import { useDismissWords } from './dismiss-words.ts';

export interface DismissDialogProps {
  /** The finding to dismiss; null while the dialog is closed. */
  readonly finding: Finding | null;
  readonly onClose: () => void;
  readonly dismiss: ReviewRequests['dismiss'];
}

export function DismissDialog({ finding, onClose, dismiss }: DismissDialogProps): ReactElement {
  const words = useDismissWords();
  return (
    <Dialog isOpen={finding !== null} title={words.head} onClose={onClose}>
      {finding !== null && <DismissForm {...{ finding, onClose, dismiss }} />}
    </Dialog>
  );
}

interface DismissFormProps extends DismissDialogProps {
  readonly finding: Finding;
}

/** In characters; the server refuses a longer one. */
const longestReason = 1000;

function DismissForm({ finding, onClose, dismiss }: DismissFormProps): ReactElement {
  const words = useDismissWords();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { isSending, failure, send } = useSending(() => dismiss(finding.id, reason), onClose);
  const submit = () => {
    const fault = faultOf(reason);
    setProblem(fault === null ? null : fault === 'empty' ? words.noReason : words.tooLong(longestReason));
    if (fault === null) send();
    else field.current?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p>
        <SeverityBadge severity={finding.severity} /> <strong>{neutralise(finding.title)}</strong>{' '}
        <code>{neutralise(placeOfFinding(finding))}</code>
      </p>
      <p id={`${id}-about`}>{words.about}</p>
      <Field label={words.reason}>
        <textarea
          ref={field}
          rows={3}
          required
          value={reason}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? `${id}-about` : `${id}-problem`}
          onChange={(event) => {
            setReason(event.target.value);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
      </Field>
      {problem !== null && <Alert id={`${id}-problem`}>{problem}</Alert>}
      <RefusalLine failure={failure} words={words} />
      <DialogButtons
        cancel={words.cancel}
        send={isSending ? words.sending : words.send}
        isSending={isSending}
        onClose={onClose}
      />
    </form>
  );
}

function faultOf(reason: string): 'empty' | 'too_long' | null {
  if (reason.trim() === '') return 'empty';
  return reason.length > longestReason ? 'too_long' : null;
}
