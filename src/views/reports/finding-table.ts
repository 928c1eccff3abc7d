/** A table of the findings, for the end of a long list at a terminal. */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, placeOfFinding } from '../../events/findings.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Paint } from '../../text/paint.ts';
import { paintLine, plain, styled } from '../../text/spans.ts';
import { renderFactTable } from '../tables/fact-table.ts';
import { severityStyle } from '../tables/styles.ts';
import { gradeOf } from './counted-findings.ts';
import { printable } from './foreign-text.ts';

const columns = [{ head: 'No.' }, { head: 'Severity' }, { head: 'Place' }] as const;

/** Returns nothing for a single finding: it is above. */
export function findingTable(findings: readonly Finding[], width: number, paint: Paint): readonly string[] {
  if (findings.length < 2) return [];
  const rows = inReportOrder(findings).map((finding) => {
    const style = countsInOutcome(finding) ? severityStyle[finding.severity] : 'dim';
    return {
      facts: [
        { cell: [styled(onOneLine(printable(finding.id)), 'bold')] },
        { cell: [styled(gradeOf(finding), style)] },
        { cell: [plain(onOneLine(printable(placeOfFinding(finding))))] },
      ],
      text: [[plain(onOneLine(printable(finding.title)))]],
    };
  });
  const table = { columns, textHead: 'Finding', rows };
  return renderFactTable(table, width).map((line) => paintLine(line, paint));
}
