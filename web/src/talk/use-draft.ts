import { useState } from 'react';
import { keep, kept } from '../remember.ts';

export interface Draft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** It is on its way: the field is empty, and what was written is kept until `drop`. */
  readonly hand: () => void;
  readonly drop: () => void;
}

/** What is written and not sent. It survives a reload of its tab. */
export function useDraft(conversation: string): Draft {
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
