/** The sentences and the skeleton that ask for an answer (DESIGN §4), derived from the tag table. */
import type { AnswerSpec, SectionSpec } from '../tags/tags.ts';
import { renderFence } from '../text/fence.ts';

/** Asks for the named sections of an answer, in their order there; for all of them where none are named. */
export function answerForm(spec: AnswerSpec, names?: readonly string[]): string {
  const sections = names === undefined ? spec.sections : sectionsOf(spec, names);
  return [
    `Answer with one block and nothing else. Its first line is the marker \`${spec.answer}\`, on a line of its own: never inside a code fence, a quote or a list. After it ${sectionCount(sections.length)}, each under its head, none left out:`,
    sections.map(({ name, asks }) => `- In \`## ${name}\`, ${asks}.`).join('\n'),
    ...(sections.some(({ name }) => name === 'ISSUES') ? [issueRules] : []),
    'The form, shown in a fence only here; send yours without the outer fence:',
    renderFence(skeleton(spec, sections), 'text'),
  ].join('\n\n');
}

/** The form of a whole answer, with gaps. */
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
  return count === 1 ? 'stands this section' : `stand these ${count} sections`;
}

const issueRules = [
  'Rules for `ISSUES`: `### Critical` is what breaks, loses data or lets an attacker in; `### Important` is what should be mended before the merge; `### Minor` is the rest. Leave out a grade that has no item; with no problem at all write the single word `None` under `## ISSUES`.',
  'Number the items. Each has a title with its place, then a fence with one to five lines copied exactly from the new side of the change, without the `+` or space in front (or from the old side, each with its `-`), then `Why:` and `Fix:`. Line numbers are found again from the copied lines, so copy them; do not retype, shorten or re-indent them.',
].join('\n\n');

function skeleton(spec: AnswerSpec, sections: readonly SectionSpec[]): string {
  const bodies = sections.map(({ name }) => `## ${name}\n${name === 'ISSUES' ? issueItem : '…'}`);
  return [spec.answer, ...bodies].join('\n\n');
}

const issueItem = `### Critical
1. **<what is wrong, in one sentence>** — \`<path>:<line>\`
   \`\`\`
   <one to five lines copied from the change>
   \`\`\`
   Why: <what happens, and when>
   Fix: <what to write instead>`;
