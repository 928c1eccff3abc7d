import { readIssues } from '../issues/read-issues.ts';

/**
 * Returns true for a text of another section that states what belongs under `ISSUES`: an item with the severity Critical,
 * or Important at a place in the code. Suggestions may be graded as Minor, and remarks may call something important.
 */
export function statesGraveFindings(text: string): boolean {
  const reading = readIssues(text);
  if (reading.kind !== 'read') return false;
  return reading.issues.some(
    ({ severity, severityInferred, location, quote }) =>
      !severityInferred &&
      (severity === 'critical' || (severity === 'important' && (location !== null || quote !== null))),
  );
}

/**
 * Returns true for a text outside of the sections that states findings: items with a severity or with a quotation.
 * Other lists and prose are remarks.
 */
export function statesFindings(text: string): boolean {
  const reading = readIssues(text);
  if (reading.kind !== 'read') return false;
  return reading.issues.some(({ severityInferred, quote }) => !severityInferred || quote !== null);
}
