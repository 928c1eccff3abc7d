import type { ReactElement } from 'react';
import { CopyButton } from '../design/copy-button.tsx';
import { useMarkdownWords } from './markdown-words.ts';

export interface CodeBlockProps {
  /** The author's name for it; null if there is none. */
  readonly language: string | null;
  readonly code: string;
}

export function CodeBlock({ language, code }: CodeBlockProps): ReactElement {
  const words = useMarkdownWords();
  const label = language === null ? words.code : words.codeIn(language.slice(0, longestName));
  return (
    <figure className="code-block" aria-label={label}>
      <figcaption>
        <span>{language?.slice(0, longestName) ?? ''}</span>
        <CopyButton size="small" text={code} label={words.copyCode} />
      </figcaption>
      {/* Only a focused element can be scrolled by keys. */}
      <pre tabIndex={0} aria-label={label} role="group">
        <code>{code}</code>
      </pre>
    </figure>
  );
}

const longestName = 40;
