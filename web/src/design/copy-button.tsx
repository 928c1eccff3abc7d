import { useState, type ComponentProps, type ReactElement } from 'react';
import { useWords } from '../words/language.tsx';
import { Button } from './button.tsx';
import { copyWords } from './copy-words.ts';
import { copy as copyIcon, done } from './icons.ts';

export interface CopyButtonProps extends Pick<
  ComponentProps<typeof Button>,
  'size' | 'icon' | 'title' | 'aria-label' | 'aria-describedby'
> {
  /** The text, or a function that creates it when it is copied. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Shows whether it worked: a browser may refuse, especially on a page without https. */
export function CopyButton({ text, label, icon = copyIcon, ...rest }: CopyButtonProps): ReactElement {
  const words = useWords(copyWords);
  const [outcome, setOutcome] = useState<keyof typeof words | null>(null);
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
      <Button
        {...rest}
        icon={outcome === 'copied' ? done : icon}
        onClick={() => void copy()}
        onBlur={() => setOutcome(null)}
      >
        {label}
      </Button>
      <span role="status">{outcome === null ? '' : words[outcome]}</span>
    </span>
  );
}
