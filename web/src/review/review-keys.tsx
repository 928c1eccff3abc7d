/** Keys of a review: `n` and `p` move between findings, `f` fixes them, `d` dismisses one, `?` lists the keys. */
import { Fragment, useEffectEvent, useLayoutEffect, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useReviewWords } from './review-words.ts';

const keys = { n: 'next', p: 'previous', f: 'fix', d: 'dismiss', '?': 'help' } as const;
export type ReviewKey = (typeof keys)[keyof typeof keys];

const helpKeys = ['n', 'p', 'f', 'd', '?'] as const satisfies readonly (keyof typeof keys)[];

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
  const name = helpKeys.find((known) => known === pressed.key);
  return name === undefined ? null : keys[name];
}

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
  /** Keys that do nothing here. */
  readonly without: ReadonlySet<ReviewKey>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function KeyHelp({ without, isOpen, onClose }: KeyHelpProps): ReactElement {
  const words = useReviewWords();
  const shown = helpKeys.filter((name) => !without.has(keys[name]));
  return (
    <Dialog isOpen={isOpen} title={words.keysHead} onClose={onClose}>
      <dl className="key-list">
        {shown.map((name) => (
          <Fragment key={name}>
            <dt>
              <kbd>{name}</kbd>
            </dt>
            <dd>{words.keyHelp[keys[name]]}</dd>
          </Fragment>
        ))}
      </dl>
      <Button onClick={onClose}>{words.close}</Button>
    </Dialog>
  );
}
