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
        <code>{isDiff(language) ? <DiffLines code={code} /> : code}</code>
      </pre>
    </figure>
  );
}

const longestName = 40;

function isDiff(language: string | null): boolean {
  return language === 'diff' || language === 'patch';
}

const lineKinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

/** A name of a file above its lines. */
const fileLine = /^(?:---|\+\+\+) (?:[ab]\/|\/dev\/null)/;

/** Each line of a diff in the color of its sign. */
function DiffLines({ code }: Pick<CodeBlockProps, 'code'>): ReactElement {
  return (
    <>
      {code.split(/(?<=\n)/).map((line, index) => {
        const kind = fileLine.test(line) ? undefined : lineKinds[line.charAt(0)];
        // The lines of a text never change places.
        // oxlint-disable-next-line react/no-array-index-key
        return kind === undefined ? (
          line
        ) : (
          <span key={index} className={kind}>
            {line}
          </span>
        );
      })}
    </>
  );
}
