/** Shows the findings of a result as tool calls: an editor opens the file at the line of each. */
import { join } from 'node:path';
import type { SessionUpdate, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, placeOfFinding } from '../../events/findings.ts';
import { capitalize } from '../../text/capitalize.ts';
import { renderFence } from '../../text/fence.ts';
import { onOneLine } from '../../text/one-line.ts';
import { pathInside } from '../../text/path-inside.ts';
import { printable, shorten } from '../../views/reports/foreign-text.ts';
import { textContent } from './run-updates.ts';

const mostTitle = 200;
const mostText = 8000;

/** `root`: the folder that the paths of findings are relative to. */
export function findingUpdates(
  runId: string,
  findings: readonly Finding[],
  root: string,
): readonly SessionUpdate[] {
  return inReportOrder(findings).map((finding) => ({
    sessionUpdate: 'tool_call',
    toolCallId: `${runId}/finding/${finding.id}`,
    title: titleOf(finding),
    kind: 'other',
    status: 'completed',
    content: textContent(shorten(contentOf(finding), mostText)),
    locations: locationsOf(finding, root),
  }));
}

function titleOf(finding: Finding): string {
  const { id, severity, title } = finding;
  const state = countsInOutcome(finding) ? '' : ' (does not count)';
  return shorten(onOneLine(printable(`${id} ${capitalize(severity)}: ${title}${state}`)), mostTitle);
}

function contentOf(finding: Finding): string {
  const { body, remedy, replacement, verdict, evidence } = finding;
  const parts = [
    `${placeOfFinding(finding)} · ${verdict}`,
    body.trim(),
    evidence === undefined ? '' : `Verdict: ${evidence.trim()}`,
    remedy === undefined ? '' : `Fix: ${remedy.trim()}`,
    replacement === undefined ? '' : `Replacement:\n\n${renderFence(replacement.replace(/\n$/, ''))}`,
  ];
  return printable(parts.filter((part) => part !== '').join('\n\n'));
}

/** A place in the old side is no line of the file as it is now. */
function locationsOf({ path, start_line: line, side }: Finding, root: string): ToolCallLocation[] {
  const inside = pathInside(path);
  if (inside === null) return [];
  return [{ path: join(root, inside), ...(line === null || side === 'old' ? {} : { line }) }];
}
