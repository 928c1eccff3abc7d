/** A review that is longer than its host takes: every finding on a line, the worst of them whole, and what is left out told. */
import type { Finding } from '../events/collab-event.ts';
import { renderCount } from '../wire/quantities.ts';
import { findingBlocks, findingLine } from './markdown-finding.ts';
import { bullets, heading, paragraph, renderDocument, strong, text } from './markdown-nodes.ts';

export interface MarkdownParts {
  readonly head: string;
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly findingsHead: string;
  readonly tail: string;
  /** What is left beside a text; negative where it is too long. */
  readonly room: (text: string) => number;
}

interface Rendered {
  readonly whole: string;
  readonly line: string;
}

export function fitMarkdown({ head, findings, findingsHead, tail, room }: MarkdownParts): string {
  // The numbers in the note are no longer than these.
  const frame = [head, noteOf(findings.length, findings.length), findingsHead, moreHead, tail].join('\n');
  const rendered = findings.map((finding) => ({
    whole: renderDocument(findingBlocks(finding)),
    line: renderDocument([bullets([[findingLine(finding)]])]),
  }));
  const sizeOf = (piece: string) => room('') - room(piece) + 1;
  const listed = takeWhileFits(rendered, room(frame), ({ line }) => sizeOf(line));
  const spare = room(frame) - sum(listed.map(({ line }) => sizeOf(line)));
  const whole = takeWhileFits(listed, spare, (piece) => sizeOf(piece.whole) - sizeOf(piece.line));
  const shortened = listed.slice(whole.length);
  return [
    head,
    noteOf(shortened.length, findings.length - listed.length),
    ...(whole.length === 0 ? [] : [findingsHead, ...whole.map((piece) => piece.whole)]),
    ...(shortened.length === 0 ? [] : [moreHead, shortened.map(({ line }) => line).join('')]),
    ...(tail === '' ? [] : [tail]),
  ].join('\n');
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
      text(`, because a text of this kind has a limit: ${words}. The report as JSON holds everything.`),
    ]),
  ]);
}

/** From the first one on; the order tells what matters most, so nothing is taken out of turn. */
function takeWhileFits(
  pieces: readonly Rendered[],
  space: number,
  sizeOf: (piece: Rendered) => number,
): readonly Rendered[] {
  let left = space;
  const end = pieces.findIndex((piece) => {
    left -= sizeOf(piece);
    return left < 0;
  });
  return end === -1 ? pieces : pieces.slice(0, end);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
