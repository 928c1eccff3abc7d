import { readIssues } from '../issues/read-issues.ts';

/**
 * Returns true for a text outside of the sections that states findings: items with a severity or with a quotation.
 * Other lists and prose are remarks.
 */
export function statesFindings(text: string): boolean {
  const reading = readIssues(text);
  if (reading.kind !== 'read') return false;
  return reading.issues.some(({ severityInferred, quote }) => !severityInferred || quote !== null);
}
