import { useState } from 'react';
import { keep, kept } from '../remember.ts';

export interface MessageDraft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Marks it as sent: the field is empty, and the text is kept until `drop`. */
  readonly hand: () => void;
  readonly drop: () => void;
}

/** Returns the unsent text. It survives a reload of its tab. */
export function useDraft(conversation: string): MessageDraft {
  const name = `draft.${conversation}`;
  const [text, setText] = useState(() => kept(tab, name) ?? '');
  return {
    text,
    write(next) {
      keep(tab, name, next);
      setText(next);
    },
    hand: () => setText(''),
    drop: () => keep(tab, name, ''),
  };
}

const tab = (): Storage => sessionStorage;
