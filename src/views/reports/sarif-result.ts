/** Renders a finding as a SARIF result. */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import type { Severity } from '../../tags/severities.ts';
import { remarksOn } from './counted-findings.ts';
import { inert, printable, shorten } from './foreign-text.ts';
import { pathInside } from '../../text/path-inside.ts';
import { detailsOf, linesInNewFile, longestField, titleOfFinding } from './plain-finding.ts';

export const sarifLevels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  important: 'warning',
  minor: 'note',
};

export function sarifRule(severity: Severity): string {
  return `collab/${severity}`;
}

export function sarifResult(finding: Finding, knowsBaseline: boolean): object {
  const { severity, identity, first_identity, baseline } = finding;
  const suppressions = suppressionsOf(finding);
  return {
    ruleId: sarifRule(severity),
    level: sarifLevels[severity],
    message: { text: [titleOfFinding(finding), ...detailsOf(finding)].join('\n\n') },
    locations: [locationOf(finding)],
    ...fixesOf(finding),
    partialFingerprints: {
      'collabIdentity/v2': identity,
      // Results of version 0.1.0 that a host keeps have only this one.
      ...(first_identity === undefined ? {} : { 'collabIdentity/v1': first_identity }),
    },
    ...(knowsBaseline ? { baselineState: baseline === true ? 'unchanged' : 'new' } : {}),
    ...(suppressions.length === 0 ? {} : { suppressions }),
    properties: propertiesOf(finding),
  };
}

/**
 * Lists findings rejected by the lead, known from the baseline or suppressed by hand, with the reason why they do not
 * count.
 */
function suppressionsOf(finding: Finding): readonly object[] {
  if (countsInOutcome(finding)) return [];
  const justification = remarksOn(finding)
    .map((remark) => inert(shorten(remark, longestField)))
    .join('; ');
  return [{ kind: 'external', status: 'accepted', justification }];
}

/** GitHub rejects a whole file for one result without a location, so a finding without a place says so in its own. */
function locationOf(finding: Finding): object {
  const { quote } = finding;
  const path = pathInside(finding.path);
  if (path === null) {
    return {
      physicalLocation: { artifactLocation: { uri: 'no-place-in-the-change' } },
      message: { text: 'The finding names no place that is in the change.' },
    };
  }
  const lines = linesInNewFile(finding);
  const snippet = quote === null ? {} : { snippet: { text: printable(shorten(quote, longestField)) } };
  return {
    physicalLocation: {
      artifactLocation: artifactOf(path),
      ...(lines === null ? {} : { region: { startLine: lines.start, endLine: lines.end, ...snippet } }),
    },
  };
}

/**
 * Returns a reference relative to the root of the repository: special characters are percent-encoded, slashes are kept.
 */
export function artifactOf(path: string): { readonly uri: string; readonly uriBaseId: string } {
  const segments = (pathInside(path) ?? '').replaceAll(/\p{Cs}/gu, '\ufffd').split('/');
  return { uri: segments.map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

/** Only text that acts nowhere, and is whole. Lines of files with Windows line ends are inserted with them. */
function fixesOf(finding: Finding): object {
  const { replacement, quote } = finding;
  const [lines, path] = [linesInNewFile(finding), pathInside(finding.path)];
  if (replacement === undefined || lines === null || path === null) return {};
  if (replacement.length > longestField || printable(replacement) !== replacement) return {};
  const isWindows = quote?.split('\n').every((line) => line.endsWith('\r')) === true;
  const change =
    replacement === ''
      ? // The region ends before the next line, so that no empty line stays.
        { deletedRegion: { startLine: lines.start, startColumn: 1, endLine: lines.end + 1, endColumn: 1 } }
      : {
          deletedRegion: { startLine: lines.start, startColumn: 1, endLine: lines.end },
          insertedContent: { text: isWindows ? replacement.replaceAll('\n', '\r\n') : replacement },
        };
  return {
    fixes: [
      {
        description: { text: replacement === '' ? 'Remove these lines.' : 'Replace these lines.' },
        artifactChanges: [{ artifactLocation: artifactOf(path), replacements: [change] }],
      },
    ],
  };
}

function propertiesOf(finding: Finding): object {
  const { id, severity, claim, placement, side, start_line, end_line, verdict } = finding;
  const removed =
    side === 'old' && start_line !== null ? { removed_lines: [start_line, end_line ?? start_line] } : {};
  const known = claim === undefined ? {} : { claim };
  return { id: inert(id), severity, ...known, placement, verdict, ...removed };
}
