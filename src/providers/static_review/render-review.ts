/** Findings as a whole `[RESPONSE:REVIEW]` answer, in the form that DESIGN §4 asks for. */
import { severities, type Severity } from '../../tags/tags.ts';
import type { DiffFile } from '../../parsers/unified-diff-types.ts';
import { foldRepeats } from './fold-repeats.ts';
import { groupBy } from './group-by.ts';
import type { RuleFinding } from './rule-finding.ts';
import { ruleSetsFor } from './rule-sets.ts';

export function renderReview(files: readonly DiffFile[], findings: readonly RuleFinding[]): string {
  return [
    '[RESPONSE:REVIEW]',
    '',
    '## STRENGTHS',
    '',
    'No model looked at this change. Rules looked at its added and replaced lines:',
    '',
    ...renderRuleSets(files),
    '',
    '## ISSUES',
    '',
    ...renderIssues(foldRepeats(findings)),
    '## SUGGESTIONS',
    '',
    'None',
    '',
  ].join('\n');
}

/** One line for each combination of rule sets, with the files it was applied to. */
function renderRuleSets(files: readonly DiffFile[]): readonly string[] {
  const groups = groupBy(files, ({ path }) => ruleSetsFor(path).join(', '));
  return [...groups].map(
    ([ruleSets, members]) => `- ${ruleSets}: ${members.map(({ path }) => code(path)).join(', ')}`,
  );
}

function renderIssues(findings: readonly RuleFinding[]): readonly string[] {
  if (findings.length === 0) return ['None', ''];
  return severities.flatMap((severity) => renderGrade(severity, findings));
}

function renderGrade(severity: Severity, findings: readonly RuleFinding[]): readonly string[] {
  const graded = findings.filter(({ rule }) => rule.severity === severity);
  if (graded.length === 0) return [];
  const head = `### ${severity.charAt(0).toUpperCase()}${severity.slice(1)}`;
  return [head, '', ...graded.flatMap((finding, index) => [...renderItem(finding, index + 1), ''])];
}

function renderItem(
  { rule, path, side, startLine, endLine, quote }: RuleFinding,
  number: number,
): readonly string[] {
  const place = startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
  const quoted = quote.map((line) => (side === 'old' ? `-${line}` : line));
  const fence = fenceLongerThan(quoted);
  const indent = ' '.repeat(`${number}. `.length);
  const below = [fence, ...quoted, fence, `Why: ${rule.why} Rule: \`${rule.name}\`.`, '', `Fix: ${rule.fix}`];
  return [
    `${number}. **${rule.title}** — ${code(place)}`,
    ...below.map((line) => (line === '' ? '' : `${indent}${line}`)),
  ];
}

function fenceLongerThan(lines: readonly string[]): string {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** A code span; a path's own backticks and line breaks cannot end it. */
function code(text: string): string {
  return `\`${text.replace(/[`\n\r]/g, '?')}\``;
}
