/** The text of a question at a terminal: rendered Markdown, with its patches as colored diffs. */
import { neutralise } from '../../text/neutralise.ts';
import { plain, wrapCode, type Line } from '../../text/spans.ts';
import { colorDiff, foldLongDiff } from '../../views/markdown/colored-diff.ts';
import { renderMarkdown } from '../../views/markdown/terminal-markdown.ts';
import { plainHeading } from '../../views/talk/protocol-words.ts';

export interface QuestionText {
  readonly whole: readonly Line[];
  /** The same with its long patches folded; null if none is long. */
  readonly folded: readonly Line[] | null;
}

const indent = plain('  ');

/** `keepsLines`: the lines of the text are not the author's wrapping, but a list. */
export function renderQuestionText(
  text: string,
  columns: number,
  { keepsLines = false }: { readonly keepsLines?: boolean } = {},
): QuestionText {
  const parts = partsOf(text).map(({ kind, lines }) => {
    const joined = lines.join('\n');
    if (kind === 'text') {
      const markdown = keepsLines ? joined.replaceAll(/(?<=[^\n])\n(?=[^\n])/g, '  \n') : joined;
      const rendered = renderMarkdown(markdown, columns, plainHeading);
      return { whole: rendered, folded: rendered };
    }
    const diff = colorDiff(neutralise(joined)).flatMap((line) =>
      wrapCode(line, columns - indent.text.length),
    );
    return { whole: indented(diff), folded: indented(foldLongDiff(diff)) };
  });
  const whole = apart(parts.map((part) => part.whole));
  const folded = apart(parts.map((part) => part.folded));
  return { whole, folded: folded.length < whole.length ? folded : null };
}

interface Part {
  readonly kind: 'text' | 'patch';
  readonly lines: string[];
}

/** Separates the fenced patches, as `renderPatch` writes them, from the text around them. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [{ kind: 'text', lines: [] }];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const opened: string | undefined = fence === null ? /^(`{3,})diff$/.exec(line)?.[1] : undefined;
    if (opened !== undefined) parts.push({ kind: 'patch', lines: [] });
    else if (line === fence) parts.push({ kind: 'text', lines: [] });
    else parts.at(-1)?.lines.push(line);
    fence = opened ?? (line === fence ? null : fence);
  }
  return parts;
}

function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => (line.length === 0 ? line : [indent, ...line]));
}

/** An empty line separates the parts. */
function apart(parts: readonly (readonly Line[])[]): readonly Line[] {
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}
