import { useState, type ReactElement } from 'react';
import { useMarkdownWords } from './markdown-words.ts';

export interface CopyButtonProps {
  /** Or what makes it, at the moment of copying. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Says whether it worked: a browser may refuse, above all on a page that came without https. */
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
