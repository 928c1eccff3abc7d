/** The elements for Markdown that differ from a browser's defaults. */
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { plainHeading } from '../../../src/client/markdown.ts';
import { CodeBlock } from './code-block.tsx';
import { useMarkdownWords } from './markdown-words.ts';

const parts: Components = {
  a: Link,
  img: ImageLink,
  pre: Preformatted,
  input: Tick,
  table: ScrollingTable,
};

type HeadingName = 'h4' | 'h5' | 'h6';

function headings(first: HeadingName, second: HeadingName): Components {
  const h6 = heading('h6');
  return { h1: heading(first), h2: heading(second), h3: h6, h4: h6, h5: h6, h6 };
}

/** The name of a protocol section is shown in words. */
function heading(Name: HeadingName) {
  return ({ children }: { readonly children?: ReactNode }): ReactElement => (
    <Name>{typeof children === 'string' ? plainHeading(children) : children}</Name>
  );
}

/** Headings of a text are below the page heading above it. */
export const elementsBelow = {
  h3: { ...parts, ...headings('h4', 'h5') },
  h5: { ...parts, ...headings('h6', 'h6') },
} satisfies Readonly<Record<string, Components>>;

function Link({ href, children }: ComponentProps<'a'>): ReactElement {
  if (href === undefined || href === '') return <span className="dead-link">{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Loading a picture would tell a stranger who reads the page. It becomes a link. */
function ImageLink({ src, alt }: ComponentProps<'img'>): ReactElement {
  const label = alt === undefined || alt === '' ? '🖼' : `🖼 ${alt}`;
  return <Link href={typeof src === 'string' ? src : undefined}>{label}</Link>;
}

/** Code in a list or a quotation; `read-fence.ts` reads a block of its own. */
function Preformatted({ node }: ExtraProps): ReactElement {
  const code = node?.children.find((child) => child.type === 'element');
  const names = code?.properties['className'];
  const name = Array.isArray(names) ? names[0] : null;
  const language = typeof name === 'string' ? name.replace(/^language-/, '') : null;
  return <CodeBlock language={language} code={textOf(code?.children ?? [])} />;
}

type Nodes = NonNullable<ExtraProps['node']>['children'];

function textOf(nodes: Nodes): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : '')).join('');
}

/** A task in a list: visible, but never checked here. */
function Tick({ checked }: ComponentProps<'input'>): ReactElement {
  const words = useMarkdownWords();
  const isDone = checked === true;
  return (
    <span role="img" aria-label={isDone ? words.done : words.notDone}>
      {isDone ? '☑' : '☐'}
    </span>
  );
}

function ScrollingTable({ children }: { readonly children?: ReactNode }): ReactElement {
  const words = useMarkdownWords();
  return (
    // Only a focused element can be scrolled by keys.
    <div className="scrolling" role="group" aria-label={words.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
