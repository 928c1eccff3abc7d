import { AlertDialog } from 'radix-ui';
import { useEffect, useState, type ReactElement } from 'react';
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
  const [isCancelling, setCancelling] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const cancel = () => {
    setCancelling(true);
    client.cancel(route.conversation, route.run).then(onCancelled, (error: unknown) => {
      setFailure(failed(error));
      setCancelling(false);
    });
  };
  return (
    <>
      <AlertDialog.Root>
        <AlertDialog.Trigger
          className="cancel"
          // A disabled button could not take back the focus from the dialog.
          aria-disabled={isCancelling}
          onClick={(event) => isCancelling && event.preventDefault()}
        >
          {isCancelling ? words.cancelling : words.cancel}
        </AlertDialog.Trigger>
        <AlertDialog.Portal>
          <div className="veil">
            <AlertDialog.Content className="dialog">
              <AlertDialog.Title>{words.cancelTitle}</AlertDialog.Title>
              <AlertDialog.Description>{words.cancelText}</AlertDialog.Description>
              <div className="row">
                <AlertDialog.Cancel>{words.cancelNo}</AlertDialog.Cancel>
                <AlertDialog.Action className="danger" onClick={cancel}>
                  {words.cancelYes}
                </AlertDialog.Action>
              </div>
              <PageAtRest />
            </AlertDialog.Content>
          </div>
        </AlertDialog.Portal>
      </AlertDialog.Root>
      {failure !== null && <FailureLine failure={failure} />}
    </>
  );
}

/** Everything below a dialog is hidden from screen readers: none of it may take the focus. */
function PageAtRest(): null {
  useEffect(() => {
    const page = document.getElementById('page');
    page?.toggleAttribute('inert', true);
    return () => void page?.toggleAttribute('inert', false);
  }, []);
  return null;
}
