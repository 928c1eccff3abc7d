import { useState } from 'react';

export interface Draft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** It is on its way: the field is empty, and what was written is kept until `drop`. */
  readonly hand: () => void;
  readonly drop: () => void;
}

/** What is written and not sent. It survives a reload of its tab. */
export function useDraft(conversation: string): Draft {
  const [text, setText] = useState(() => kept(conversation));
  return {
    text,
    write(next) {
      keep(conversation, next);
      setText(next);
    },
    hand: () => setText(''),
    drop: () => keep(conversation, ''),
  };
}

function kept(conversation: string): string {
  try {
    return sessionStorage.getItem(keyOf(conversation)) ?? '';
  } catch {
    return '';
  }
}

function keep(conversation: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(conversation));
    else sessionStorage.setItem(keyOf(conversation), text);
  } catch {
    // A browser that is told to keep nothing refuses; the text then lasts as long as the page.
  }
}

function keyOf(conversation: string): string {
  return `collab.draft.${conversation}`;
}
