/** Lists the rules' findings in a few lines, for the prompt of a model that also reviews the change. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { FoundByRule } from '../../prompts/request.ts';
import { ruleSetsFor } from './rule-sets.ts';

/** More lines add little, and each one costs tokens. */
const mostLines = 40;

/** Returns a line for each finding; null if there is none. */
export function describeFindings(findings: readonly RuleFindingLine[]): string | null {
  const more = findings.length - mostLines;
  const lines = [
    ...findings.slice(0, mostLines).map(lineOf),
    ...(more > 0 ? [`- and ${more} more of these severities or lower ones`] : []),
  ];
  return lines.length === 0 ? null : lines.join('\n');
}

/** Returns the names of the rule sets that are applied to these files. */
export function ruleSetsOf(files: readonly Pick<DiffFile, 'path'>[]): readonly string[] {
  return [...new Set(files.flatMap(({ path }) => ruleSetsFor(path)))].toSorted();
}

export interface RuleFindingLine extends Pick<FoundByRule, 'rule' | 'title' | 'path' | 'side' | 'startLine'> {
  /** Another tool whose rule it is. */
  readonly tool?: string | undefined;
  readonly severity: string;
}

function lineOf({ rule, tool, severity, title, path, side, startLine }: RuleFindingLine): string {
  const place = `${path}:${startLine}${side === 'old' ? ' (a removed line)' : ''}`;
  return `- ${severity}, ${place}: ${title} (${tool === undefined ? `rule ${rule}` : `${tool} ${rule}`.trimEnd()})`;
}
