/**
 * Renders values as the canonical text of an answer; `readAnswer` and `readIssues` turn it back into the same values.
 */
import { severities, type Severity } from '../../tags/severities.ts';
import type { AnswerTag, ReverseAnswerTag } from '../../tags/tags.ts';
import type { ReviewIssue } from './answer-types.ts';
import { capitalize } from '../../text/capitalize.ts';
import { renderFence } from '../../text/fence.ts';

export function renderAnswer(
  tag: AnswerTag | ReverseAnswerTag,
  sections: readonly { readonly name: string; readonly text: string }[],
): string {
  const parts = sections.map(({ name, text }) => `## ${name}\n\n${text === '' ? 'None' : text}\n`);
  return `${tag}\n\n${parts.join('\n')}`;
}

/** Renders an `ISSUES` section in the form requested from the advisor, highest severity first. */
export function renderIssues(issues: readonly ReviewIssue[]): string {
  const groups = severities.flatMap((severity) => {
    const members = issues.filter((issue) => issue.severity === severity);
    return members.length === 0 ? [] : [renderGroup(severity, members)];
  });
  return groups.length === 0 ? 'None' : groups.join('\n\n');
}

function renderGroup(severity: Severity, issues: readonly ReviewIssue[]): string {
  return [
    `### ${capitalize(severity)}`,
    ...issues.map((issue, index) => renderIssue(issue, `${index + 1}. `)),
  ].join('\n');
}

function renderIssue(issue: ReviewIssue, bullet: string): string {
  const title = issue.title.replaceAll(/\s+/g, ' ').trim();
  const place = issue.location === null ? '' : ` — ${renderCodeSpan(renderLocation(issue.location))}`;
  const lines = [
    `**${title}**${place}`,
    ...(issue.quote === null ? [] : [renderFence(markSide(issue.quote))]),
    ...(issue.claim === undefined ? [] : [`Class: ${issue.claim}`]),
    ...(issue.text === '' ? [] : [`Why: ${issue.text}`]),
    ...(issue.remedy === null ? [] : [`Fix: ${issue.remedy}`]),
    ...(issue.replacement === undefined ? [] : ['Replacement:', renderFence(issue.replacement)]),
  ];
  const [first = '', ...others] = lines.join('\n').split('\n');
  const indent = ' '.repeat(bullet.length);
  return [bullet + first, ...others.map((line) => (line === '' ? '' : indent + line))].join('\n');
}

function renderLocation({ path, startLine, endLine }: NonNullable<ReviewIssue['location']>): string {
  if (startLine === null) return path;
  return endLine === null || endLine === startLine
    ? `${path}:${startLine}`
    : `${path}:${startLine}-${endLine}`;
}

/** Marks the lines of a side; those of the new side get a `+` only if they would otherwise be read as old lines. */
function markSide({ text, side }: NonNullable<ReviewIssue['quote']>): string {
  const lines = text.split('\n');
  const ambiguous = ['-', '+'].some((mark) => lines.every((line) => line.startsWith(mark)));
  const mark = side === 'old' ? '-' : ambiguous ? '+' : '';
  return lines.map((line) => mark + line).join('\n');
}

function renderCodeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const gap = longest > 0 ? ' ' : '';
  return `${ticks}${gap}${text}${gap}${ticks}`;
}
