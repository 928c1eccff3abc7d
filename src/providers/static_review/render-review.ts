/** Renders findings as a whole `[RESPONSE:REVIEW]` answer. */
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import { renderAnswer, renderIssues } from '../../parsers/answers/render-answer.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { FoundByRule } from '../../prompts/request.ts';
import { issueOf } from '../../review/findings/rule-issue.ts';
import { groupBy } from '../../review/group-by.ts';
import { countTooLong, longestLine } from './longest-line.ts';
import { ruleSetsFor } from './rule-sets.ts';
import { renderCount } from '../../text/quantities.ts';

/** Renders the requested sections; rules add nothing to those of a skill. */
export function renderReview(
  files: readonly DiffFile[],
  findings: readonly FoundByRule[],
  sections: readonly string[],
): string {
  const texts: Readonly<Record<string, string>> = {
    STRENGTHS: renderRuleSets(files),
    ISSUES: renderIssues(findings.map(issueNamingRule)),
  };
  return renderAnswer(
    '[RESPONSE:REVIEW]',
    sections.map((name) => ({ name, text: texts[name] ?? '' })),
  );
}

/** Renders one line for each combination of rule sets, with its files. */
function renderRuleSets(files: readonly DiffFile[]): string {
  const groups = groupBy(files, ({ path }) => ruleSetsFor(path).join(', '));
  return [
    'No model looked at this change. Rules looked at its added and replaced lines:',
    '',
    ...[...groups].map(([ruleSets, members]) => `- ${ruleSets}: ${members.map(renderPath).join(', ')}`),
    ...files.flatMap(renderTooLong),
  ].join('\n');
}

function renderTooLong(file: DiffFile): readonly string[] {
  const count = countTooLong(file);
  if (count === 0) return [];
  const lines = renderCount(count, 'line');
  return [`- secret scan only: ${lines} of ${renderPath(file)} with more than ${longestLine} characters`];
}

/** Renders a path so that its own backticks and line breaks cannot end the code span. */
function renderPath({ path }: DiffFile): string {
  return `\`${path.replace(/[`\n\r]/g, '?')}\``;
}

function issueNamingRule(found: FoundByRule): ReviewIssue {
  return { ...issueOf(found), text: `${found.why} Rule: \`${found.rule}\`.` };
}
