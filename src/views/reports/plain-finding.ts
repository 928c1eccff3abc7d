/** Renders a finding as inert plain text for other programs to show. */
import type { Finding } from '../../events/collab-event.ts';
import { placeOfFinding } from '../../events/findings.ts';
import { onOneLine } from '../../text/one-line.ts';
import { claimOf, gradeHead, remarksOn } from './counted-findings.ts';
import { pathInside } from '../../text/path-inside.ts';
import { inert, shorten } from './foreign-text.ts';

/** Limit in characters for one field of a finding; a longer answer does not help the reader of a list. */
export const longestField = 16_384;

/** `Critical: Total is rounded before tax`, on one line. */
export function titleOfFinding(finding: Finding): string {
  return `${gradeHead(finding)}: ${oneInertLine(finding.title)}`;
}

/** Renders the place, if no program can point there; then the reason, the remedy and the remarks. */
export function detailsOf(finding: Finding): readonly string[] {
  return [
    ...(linesInNewFile(finding) === null ? [`At: ${oneInertLine(placeOfFinding(finding))}`] : []),
    ...labelled('Class', claimOf(finding) ?? ''),
    ...labelled('Why', finding.body),
    ...labelled('Fix', finding.remedy ?? ''),
    ...replacementLines(finding),
    ...remarksOn(finding).flatMap((remark) => labelled('Note', remark)),
  ];
}

function replacementLines({ replacement }: Finding): readonly string[] {
  return replacement === '' ? [removesLines] : labelled('Replacement', replacement ?? '');
}

/** The text for an empty replacement. */
export const removesLines = 'Replacement: remove these lines';

function labelled(label: string, text: string): readonly string[] {
  const said = inert(shorten(text.trim(), longestField));
  return said === '' ? [] : [`${label}: ${said}`];
}

export function oneInertLine(text: string): string {
  return onOneLine(inert(shorten(text, longestField)));
}

/**
 * Returns the lines that an editor or a host can mark: it shows the new file, so lines of the old one would point at
 * something else.
 */
export function linesInNewFile(finding: Finding): { readonly start: number; readonly end: number } | null {
  const { path, side, start_line: start, end_line: end } = finding;
  if (pathInside(path) === null || start === null || side === 'old') return null;
  return { start, end: end ?? start };
}
