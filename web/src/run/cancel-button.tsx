import { useState, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { stop } from '../design/icons.ts';
import type { Route } from '../route.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { useFailed, type RequestFailure } from '../server/use-asked.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

interface CancelProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly onCancelled: () => void;
}

/** Ending a run is final: the reader must confirm it. */
export function CancelButton({ route, onCancelled }: CancelProps): ReactElement {
  const words = useWords(runWords);
  const { client } = useServer();
  const failed = useFailed();
  const [isAsking, setAsking] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const close = () => setAsking(false);
  const cancel = () => {
    close();
    setCancelling(true);
    client.cancel(route.conversation, route.run).then(onCancelled, (error: unknown) => {
      setFailure(failed(error));
      setCancelling(false);
    });
  };
  return (
    <>
      <Button
        icon={stop}
        aria-haspopup="dialog"
        // A disabled button could not take back the focus from the dialog.
        aria-disabled={isCancelling}
        onClick={() => setAsking(!isCancelling)}
      >
        {isCancelling ? words.cancelling : words.cancel}
      </Button>
      <Dialog isOpen={isAsking} title={words.cancelTitle} explanation={words.cancelText} onClose={close}>
        <div className="row">
          <Button onClick={close}>{words.cancelNo}</Button>
          <Button kind="danger" onClick={cancel}>
            {words.cancelYes}
          </Button>
        </div>
      </Dialog>
      {failure !== null && <FailureLine failure={failure} />}
    </>
  );
}
