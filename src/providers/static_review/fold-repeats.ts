/** Keeps an answer readable if one rule has many findings in one file. */
import { groupBy } from '../../review/group-by.ts';
import type { RuleFinding } from './rule-finding.ts';

/** Findings of one rule in one file that are written out; the others are only listed by line. */
const writtenOut = 25;

export function foldRepeats(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const groups = groupBy(findings, ({ rule, path }) => `${rule.name} ${path}`);
  return findings.flatMap((finding) => {
    const group = groups.get(`${finding.rule.name} ${finding.path}`) ?? [];
    const index = group.indexOf(finding);
    if (index >= writtenOut) return [];
    const folded = index === writtenOut - 1 ? group.slice(writtenOut) : [];
    return [folded.length === 0 ? finding : naming(finding, folded)];
  });
}

function naming(finding: RuleFinding, folded: readonly RuleFinding[]): RuleFinding {
  const lines = folded.map(({ startLine }) => startLine).join(', ');
  return {
    ...finding,
    rule: { ...finding.rule, why: `${finding.rule.why} The same on the lines ${lines}.` },
  };
}
