import { useState, type ReactElement } from 'react';
import { useMarkdownWords } from './markdown-words.ts';

export interface CopyButtonProps {
  /** The text, or a function that creates it when it is copied. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Shows whether it worked: a browser may refuse, especially on a page without https. */
export function CopyButton({ text, label }: CopyButtonProps): ReactElement {
  const words = useMarkdownWords();
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return (
    <span className="copy">
      <button type="button" onClick={() => void copy()} onBlur={() => setOutcome(null)}>
        {label}
      </button>
      <span role="status">{outcome === null ? '' : words[outcome]}</span>
    </span>
  );
}
