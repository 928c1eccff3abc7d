/** Keys of a review: `n` and `p` move between findings, `?` lists the keys. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactElement } from 'react';
import { useReviewWords } from './review-words.ts';

export type ReviewKey = 'next' | 'previous' | 'help';

interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Composing a word, as in Japanese input. */
  readonly isComposing: boolean;
}

/** Returns the meaning of a key; null while the reader types, or if it belongs to the browser. */
export function readKey(pressed: PressedKey, isTyping: boolean): ReviewKey | null {
  if (isTyping || pressed.isComposing || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  return keys[pressed.key] ?? null;
}

const keys: Readonly<Record<string, ReviewKey | undefined>> = { n: 'next', p: 'previous', '?': 'help' };

export function useReviewKeys(onKey: (key: ReviewKey) => void): void {
  const take = useEffectEvent(onKey);
  // Attached before the findings are painted: a key pressed at first sight counts.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = readKey(event, isTypedInto(event.target));
      if (key === null || event.defaultPrevented) return;
      event.preventDefault();
      take(key);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** In an open dialog, keys belong to the dialog. */
function isTypedInto(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], dialog, [role=dialog]') !== null
  );
}

export interface KeyHelpProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Uses the browser's own dialog: it holds the focus, closes with Escape, and returns the focus. */
export function KeyHelp({ isOpen, onClose }: KeyHelpProps): ReactElement {
  const words = useReviewWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className="key-help" aria-labelledby="key-help-head" onClose={onClose}>
      <h2 id="key-help-head">{words.keysHead}</h2>
      <dl>
        <dt>
          <kbd>n</kbd>
        </dt>
        <dd>{words.next}</dd>
        <dt>
          <kbd>p</kbd>
        </dt>
        <dd>{words.previous}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{words.helpKey}</dd>
      </dl>
      <button type="button" onClick={onClose}>
        {words.close}
      </button>
    </dialog>
  );
}
