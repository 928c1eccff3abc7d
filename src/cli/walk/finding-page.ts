/** One finding on a whole screen: its number, the finding, a message, and the keys. */
import type { Finding } from '../../events/collab-event.ts';
import { renderFinding, type FindingStyle } from '../../views/reports/terminal-finding.ts';
import { paintLine, plain, styled, wrapSpans, type Line } from '../../text/spans.ts';
import { printableError } from '../printable-error.ts';

export interface FindingPage {
  readonly finding: Finding;
  /** The position in the list, from 0. */
  readonly index: number;
  readonly count: number;
  /** The number of lines of the finding above the screen. */
  readonly scrolled: number;
  readonly message: string | null;
}

export interface PageSize {
  readonly rows: number;
  readonly columns: number;
}

const keys: readonly (readonly [key: string, does: string])[] = [
  ['n', 'next'],
  ['p', 'previous'],
  ['↑↓', 'scroll'],
  ['o', 'open in editor'],
  ['f', 'fix'],
  ['d', 'dismiss'],
  ['c', 'copy'],
  ['q', 'quit'],
];

/** Returns as many lines as the screen has, none wider than it, and how far the finding can be scrolled. */
export function renderPage(
  page: FindingPage,
  style: FindingStyle,
  { rows, columns }: PageSize,
): { readonly lines: readonly string[]; readonly mostScrolled: number } {
  const wrapped = (line: Line) => wrapSpans(line, columns).map((part) => paintLine(part, style.paint));
  const head = [...wrapped([styled(`Finding ${page.index + 1} of ${page.count}`, 'bold')]), ''];
  const message = page.message === null ? [] : wrapped([styled(printableError(page.message), 'yellow')]);
  const foot = ['', ...message, ...wrapped(keys.flatMap(keyHelp))];
  const body = renderFinding(page.finding, { ...style, columns });
  const room = Math.max(1, rows - head.length - foot.length);
  const mostScrolled = Math.max(0, body.length - room);
  const first = Math.min(page.scrolled, mostScrolled);
  const shown = body.slice(first, first + room);
  const empty = Array.from({ length: room - shown.length }, () => '');
  return { lines: [...head, ...shown, ...empty, ...foot].slice(0, rows), mostScrolled };
}

/** Nothing of one entry is broken over two lines. */
function keyHelp([key, does]: readonly [string, string], index: number): Line {
  const noBreak = '\u00a0';
  const before = index === 0 ? [] : [plain(' '), styled(`·${noBreak}`, 'dim')];
  return [...before, styled(key, 'bold'), styled(`${noBreak}${does.replaceAll(' ', noBreak)}`, 'dim')];
}
