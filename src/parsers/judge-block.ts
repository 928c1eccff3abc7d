import type { AnswerBlock, Reading } from './answer-types.ts';
import { readIssues, type IssuesReading } from './read-issues.ts';

type Judgement = Extract<Reading, { kind: 'whole' | 'incomplete' | 'malformed' }>;

/** Whole, incomplete or malformed; also for a block merged from two answers, which has no document of its own. */
export function judgeBlock(
  block: AnswerBlock,
  issuesOf: (text: string) => IssuesReading = readIssues,
): Judgement {
  if (block.missing.length > 0) return { kind: 'incomplete', block, missing: block.missing };
  const section = block.sections.find(({ name }) => name === 'ISSUES');
  if (section === undefined) return { kind: 'whole', block, issues: null, preamble: '' };
  const issues = issuesOf(section.text);
  return issues.kind === 'malformed'
    ? { kind: 'malformed', block, malformations: issues.malformations }
    : { kind: 'whole', block, issues: issues.issues, preamble: '' };
}
