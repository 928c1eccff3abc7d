/** Scripts of whole workflows: a pair without any detour, and the turns that a test adds before it. */
import type { Phase } from '../../../src/tags/tags.ts';

export interface Turn {
  readonly when?: object;
  readonly [key: string]: unknown;
}

/** The first matching turn is played: those of a test come before the common ones. */
export function scriptOf(...turns: readonly Turn[]): object {
  return {
    call_log: 'calls.log',
    agent: { name: 'Codex' },
    lead: { name: 'Claude Code' },
    turns: [...turns, ...straightWay],
  };
}

/** A turn of the lead, once. */
export function leads(when: object, answer: string, more: object = {}): Turn {
  return { when: { role: 'lead', ...when }, answer, ...more };
}

/** A turn of the advisor, once. */
export function advises(when: object, answer: string, more: object = {}): Turn {
  return { when, answer, ...more };
}

export const requirementsAnswer = `[RESPONSE:REQUIREMENTS]

## CLARIFICATION_QUESTIONS

1. Which version?
2. Who uses it?

## CONSIDERATIONS

- It has to be small.
`;

export const designAnswer = `[RESPONSE:DESIGN]

## ASSESSMENT

Sound.

## RISKS

- None that matters.

## ALTERNATIVES

- None.

## RECOMMENDATION

Build it in \`src/one.js\`.
`;

export const adviceAnswer = `[RESPONSE:IMPLEMENTATION]

## ADVICE

Export \`one\` by name.

## PATTERNS

- Named exports.

## CAVEATS

- None.
`;

export const cleanReview = review('None');

export function review(issues: string): string {
  return `[RESPONSE:REVIEW]

## STRENGTHS

- Small.

## ISSUES

${issues}

## SUGGESTIONS

None
`;
}

/** An issue on a line of `src/one.js`. */
export function issue(severity: 'Critical' | 'Important' | 'Minor', title: string, line: string): string {
  return `### ${severity}

1. **${title}** — \`src/one.js\`
   \`\`\`
   ${line}
   \`\`\`
   Why: it is wrong.
   Fix: mend it.
`;
}

/** The lead's text of a round, and the file that it writes in it. */
export function rounds(round: number, content: string, more: object = {}): Turn {
  return leads({ work: 'implement', round }, `Round ${round} is done.`, {
    edits: [{ path: 'src/one.js', content }],
    ...more,
  });
}

function request(phase: Phase, tag: string): Turn {
  return leads({ work: 'draft', phase }, `${tag}\n\nThe ${phase} of \`src/one.js\`.\n`, forever);
}

const forever = { repeat: 'forever' };

/** All four phases, without a question or a finding. */
export const straightWay: readonly Turn[] = [
  request('requirements', '[CONSULT:REQUIREMENTS]'),
  leads({ work: 'settle', phase: 'requirements' }, 'It has to be small.', forever),
  request('design', '[CONSULT:DESIGN]'),
  leads({ work: 'settle', phase: 'design' }, 'In `src/one.js`.\n\n## DECISION\n\nTaken.', forever),
  leads({ work: 'implement' }, 'Done.', {
    ...forever,
    edits: [{ path: 'src/one.js', content: 'export const one = 1;\n' }],
  }),
  request('review', '[REQUEST:REVIEW]'),
  leads({ work: 'answer_back' }, '## CONTEXT\n\nIt is in `README.md`.\n', forever),
  advises({ tag: '[CONSULT:REQUIREMENTS]' }, requirementsAnswer, forever),
  advises({ tag: '[CONSULT:DESIGN]' }, designAnswer, forever),
  advises({ tag: '[CONSULT:IMPLEMENTATION]' }, adviceAnswer, forever),
  advises({ tag: '[REQUEST:REVIEW]' }, cleanReview, forever),
];
