/** Asks which findings are fixed, and starts the fix. */
import { useId, useState, type ReactElement } from 'react';
import { placeOfFinding, type Finding } from '../../../../src/client/run-events.ts';
import { neutralise } from '../../../../src/client/markdown.ts';
import { Alert } from '../../design/banner.tsx';
import { Dialog, DialogButtons } from '../../design/dialog.tsx';
import { Tick } from '../../design/field.tsx';
import { RefusalLine } from '../refusal-line.tsx';
import type { ReviewRequests } from '../review-requests.ts';
import { useSending } from '../send-request.ts';
import { SeverityBadge } from '../severity-badge.tsx';
import { useFixWords } from './fix-words.ts';

export interface FixDialogProps {
  /** The findings to choose from. */
  readonly findings: readonly Finding[];
  /** The finding that is chosen at first. */
  readonly first: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly fix: ReviewRequests['fix'];
}

export function FixDialog(props: FixDialogProps): ReactElement {
  const words = useFixWords();
  return (
    <Dialog isOpen={props.isOpen} title={words.head} onClose={props.onClose}>
      <FixForm {...props} />
    </Dialog>
  );
}

function FixForm({ findings, first, onClose, fix }: FixDialogProps): ReactElement {
  const words = useFixWords();
  const about = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(first === null ? [] : [first]));
  const [isEmpty, setEmpty] = useState(false);
  const names = findings.map(({ id }) => id).filter((id) => chosen.has(id));
  const { isSending, failure, send } = useSending(() => fix(names), onClose);
  const toggle = (id: string) => {
    setEmpty(false);
    setChosen(
      (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
    );
  };
  return (
    <form
      aria-describedby={about}
      onSubmit={(event) => {
        event.preventDefault();
        if (names.length === 0) setEmpty(true);
        else send();
      }}
    >
      <p id={about}>{words.about}</p>
      <fieldset className="choices">
        <legend>{words.choose}</legend>
        {findings.map((finding) => (
          <Tick key={finding.id} checked={chosen.has(finding.id)} onChange={() => toggle(finding.id)}>
            <SeverityBadge severity={finding.severity} /> {neutralise(finding.title)}{' '}
            <code>{neutralise(placeOfFinding(finding))}</code>
          </Tick>
        ))}
      </fieldset>
      {isEmpty && <Alert>{words.chooseOne}</Alert>}
      <RefusalLine failure={failure} words={words} />
      <DialogButtons
        cancel={words.cancel}
        send={isSending ? words.starting : words.start(names.length)}
        isSending={isSending}
        onClose={onClose}
      />
    </form>
  );
}
