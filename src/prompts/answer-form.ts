/** The sentences and the skeleton that request an answer, derived from the tag table. */
import { issueGaps, textGap } from '../tags/answer-gaps.ts';
import { claimClasses } from '../tags/claims.ts';
import { closingLine } from '../tags/closing-line.ts';
import type { AnswerSpec, SectionSpec } from '../tags/tags.ts';
import { renderFence } from '../text/fence.ts';

export interface AnswerFormOptions {
  readonly names?: readonly string[];
  /** The nonce of the closing line; null or absent if the answer has none. */
  readonly closing?: string | null;
}

/** Asks for the named sections of an answer, in their order there; for all of them if none are named. */
export function answerForm(spec: AnswerSpec, { names, closing = null }: AnswerFormOptions = {}): string {
  const sections = names === undefined ? spec.sections : sectionsOf(spec, names);
  return [
    `Answer with one block and nothing else. Its first line is the marker \`${spec.answer}\`, on a line of its own: never inside a code fence, a quote or a list. Then write ${sectionCount(sections.length)}, each under its own heading; omit none:`,
    sections.map(({ name, asks }) => `- In \`## ${name}\`, ${asks}.`).join('\n'),
    ...(sections.some(({ name }) => name === 'ISSUES') ? [issueRules] : []),
    ...(closing === null ? [] : [closingRule(closing)]),
    'The form is in a fence only here; send yours without the outer fence:',
    renderFence(skeleton(spec, sections, closing), 'text'),
  ].join('\n\n');
}

/** Returns the form of a whole answer, with gaps. */
export function answerSkeleton(spec: AnswerSpec): string {
  return skeleton(spec, spec.sections);
}

function sectionsOf(spec: AnswerSpec, names: readonly string[]): readonly SectionSpec[] {
  const known = spec.sections.filter((section) => names.includes(section.name));
  if (known.length !== new Set(names).size) {
    throw new RangeError(`${spec.answer} has not all of these sections: ${names.join(', ')}`);
  }
  return known;
}

function sectionCount(count: number): string {
  return count === 1 ? 'this section' : `these ${count} sections`;
}

function closingRule(nonce: string): string {
  return `End the block with the line \`${closingLine(nonce)}\` after an empty line when you have looked at everything: a review without problems counts only with this line.`;
}

const issueRules = [
  'Rules for `ISSUES`: `### Critical`: it breaks, loses data or lets an attacker in; `### Important`: it should be fixed before merging; `### Minor`: everything else. Omit a severity without items; if there is no problem at all, write the single word `None` under `## ISSUES`.',
  'Number the items. Each has a title with its place, then a fence with one to five lines copied exactly from the new side of the change, without the `+` or space in front (or from the old side, each with its `-`), then `Class:`, `Why:` and `Fix:`. The copied lines are used to find the line numbers, so copy them exactly; do not retype, shorten or re-indent them.',
  `\`Class:\` is the one word that fits best: ${claimClasses.map((claim) => `\`${claim}\``).join(', ')}.`,
  'If whole lines instead of exactly the copied ones fix the problem, add `Replacement:` and a second fence with them: indented as in the file, without marks or omissions; an empty fence removes the copied lines. Otherwise omit `Replacement:`, also if the lines would contain a masked value (`****`).',
].join('\n\n');

function skeleton(spec: AnswerSpec, sections: readonly SectionSpec[], closing: string | null = null): string {
  const bodies = sections.map(({ name }) => `## ${name}\n${name === 'ISSUES' ? issueItem : textGap}`);
  return [spec.answer, ...bodies, ...(closing === null ? [] : [closingLine(closing)])].join('\n\n');
}

const issueItem = `### Critical
1. **${issueGaps.title}** — \`${issueGaps.place}\`
   \`\`\`
   ${issueGaps.quote}
   \`\`\`
   Class: ${issueGaps.claim}
   Why: ${issueGaps.why}
   Fix: ${issueGaps.fix}
   Replacement:
   \`\`\`
   ${issueGaps.replacement}
   \`\`\``;
