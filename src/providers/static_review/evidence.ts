/** What the rules find, in a few lines for the prompt of a model that looks itself. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import { foldRepeats } from './fold-repeats.ts';
import type { RuleFinding } from './rule-finding.ts';
import { ruleSetsFor } from './rule-sets.ts';
import { scanChange } from './scan-change.ts';

export interface RuleEvidence {
  /** A line for each finding, the worst first; null where there is none. */
  readonly found: string | null;
  /** The rule sets that were applied. */
  readonly ruleSets: readonly string[];
}

/** More of them say little more, and each one costs. */
const mostLines = 40;

/** `files` with their secrets: none of them is in the evidence. @throws the signal's reason once it is aborted */
export async function gatherEvidence(files: readonly DiffFile[], signal: AbortSignal): Promise<RuleEvidence> {
  const findings = foldRepeats(await scanChange(files, signal));
  const more = findings.length - mostLines;
  const lines = [
    ...findings.slice(0, mostLines).map(lineOf),
    ...(more > 0 ? [`- and ${more} more of these grades or lower ones`] : []),
  ];
  return {
    found: lines.length === 0 ? null : lines.join('\n'),
    ruleSets: [...new Set(files.flatMap(({ path }) => ruleSetsFor(path)))].toSorted(),
  };
}

function lineOf({ rule, path, side, startLine }: RuleFinding): string {
  const place = `${path}:${startLine}${side === 'old' ? ' (a removed line)' : ''}`;
  return `- ${rule.severity}, ${place}: ${rule.title} (rule ${rule.name})`;
}
