/** A modal dialog. It uses the browser's own: it holds the focus, closes with Escape, and returns the focus. */
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Explains a question that must be answered before anything else; read aloud with its title. */
  readonly explanation?: string;
  /** The content, rendered only while the dialog is open: each time without the earlier state. */
  readonly children: ReactNode;
}

export function Dialog({ isOpen, title, onClose, explanation, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const question =
    explanation === undefined ? {} : ({ role: 'alertdialog', 'aria-describedby': `${id}-text` } as const);
  return (
    <dialog ref={dialog} className="page-dialog" aria-labelledby={id} onClose={onClose} {...question}>
      <h2 id={id}>{title}</h2>
      {explanation !== undefined && <p id={`${id}-text`}>{explanation}</p>}
      {isOpen && children}
    </dialog>
  );
}

export interface DialogButtonsProps {
  readonly cancel: string;
  /** Sends the form of the dialog. */
  readonly send: string;
  readonly isSending: boolean;
  readonly onClose: () => void;
}

/** The last row of a dialog that is a form. */
export function DialogButtons({ cancel, send, isSending, onClose }: DialogButtonsProps): ReactElement {
  return (
    <div className="row">
      <Button onClick={onClose}>{cancel}</Button>
      <Button type="submit" kind="primary" aria-disabled={isSending}>
        {send}
      </Button>
    </div>
  );
}
