/**
 * Shortens a review that is too long for its host: every finding on a line, the most severe ones in full, with a note on
 * the omitted parts.
 */
import type { Finding } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';
import { findingBlocks, findingLine } from './markdown-finding.ts';
import { bullets, heading, paragraph, renderDocument, strong, text } from '../transcript/markdown-nodes.ts';

export interface MarkdownParts {
  readonly head: string;
  /** Most severe first. */
  readonly findings: readonly Finding[];
  readonly findingsHead: string;
  readonly tail: string;
  /** The room left after a text; negative if it is too long. */
  readonly room: (text: string) => number;
}

interface Rendered {
  readonly text: string;
  readonly size: number;
}

export function fitMarkdown({ head, findings, findingsHead, tail, room }: MarkdownParts): string {
  const rendered = (text: string): Rendered => ({ text, size: room('') - room(text) + 1 });
  // The numbers in the note are not longer than these.
  const frame = [head, noteOf(findings.length, findings.length), findingsHead, moreHead, tail].join('\n');
  const lines = findings.map((finding) => rendered(renderDocument([bullets([[findingLine(finding)]])])));
  const listed = takeWhileFits(lines, room(frame), (line) => line);
  const spare = room(frame) - listed.reduce((sum, { size }) => sum + size, 0);
  const whole = takeWhileFits(findings.slice(0, listed.length), spare, (finding, index) => {
    const { text, size } = rendered(renderDocument(findingBlocks(finding)));
    return { text, size: size - (listed[index]?.size ?? 0) };
  });
  const shortened = listed.slice(whole.length);
  return [
    head,
    noteOf(shortened.length, findings.length - listed.length),
    ...(whole.length === 0 ? [] : [findingsHead, ...whole.map(({ text }) => text)]),
    ...(shortened.length === 0 ? [] : [moreHead, shortened.map(({ text }) => text).join('')]),
    ...(tail === '' ? [] : [tail]),
  ].join('\n');
}

/**
 * Takes items from the first one on; they are ordered by importance, so none is skipped. Items that are not taken are not
 * rendered.
 */
function takeWhileFits<Item>(
  items: readonly Item[],
  space: number,
  render: (item: Item, index: number) => Rendered,
): readonly Rendered[] {
  const taken: Rendered[] = [];
  let left = space;
  for (const [index, item] of items.entries()) {
    const piece = render(item, index);
    left -= piece.size;
    if (left < 0) break;
    taken.push(piece);
  }
  return taken;
}

const moreHead = renderDocument([heading(2, [text('Further findings')])]);

function noteOf(shortened: number, leftOut: number): string {
  const findings = [
    ...(shortened > 0 ? [`${renderCount(shortened, 'finding')} on one line each`] : []),
    ...(leftOut > 0 ? [`${renderCount(leftOut, 'finding')} not listed`] : []),
  ];
  const words = ['skipped files, suggestions, strengths and usage left out', ...findings].join('; ');
  return renderDocument([
    paragraph([
      strong(text('Shortened')),
      text(`, because a text of this kind has a limit: ${words}. The JSON report has everything.`),
    ]),
  ]);
}
