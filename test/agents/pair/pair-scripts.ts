/** The answers of both scripted models in a run of the four phases: a file is written, a Critical finding is fixed. */
import { join } from 'node:path';
import type { MessagesScript, MessagesStep } from '../../upstream/messages-steps.ts';
import type { Script, Step } from '../../upstream/steps.ts';
import { workFolderIn } from './pair-user.ts';

export const risky =
  'import { rate } from "./rate.ts";\nexport const total = (net: number) => eval(`${net} + ${rate}`);\n';
export const fixed = 'import { rate } from "./rate.ts";\nexport const total = (net: number) => net + rate;\n';

export interface Asked {
  readonly text: string;
  readonly lastInput: string;
}

type Said = MessagesStep | Step;

/** Answers by a text in the last request. */
export type Row<One extends Said> = readonly [words: string, step: One | ((request: Asked) => One)];

/** Uses the first row that fits. `onAsked` gets its text first, and may return another step. */
export function byWords<One extends Said>(
  rows: readonly Row<One>[],
  onAsked: (words: string, request: Asked) => One | null = () => null,
) {
  return (request: Asked): One => {
    const row = rows.find(([words]) => request.lastInput.includes(words));
    if (row === undefined) throw new Error(`nothing to say to ${request.lastInput.slice(0, 400)}`);
    return onAsked(row[0], request) ?? stepOf(row, request);
  };
}

function stepOf<One extends Said>([, step]: Row<One>, request: Asked): One {
  return typeof step === 'function' ? step(request) : step;
}

/** A text in the request of a turn that is repeated after its process was lost. */
export const again = 'Your last turn ';

/** The model follows the last message of the conversation. */
function doItAgain<One extends Said>(rows: readonly Row<One>[]): Row<One> {
  return [
    again,
    (request) => {
      const placeOf = ([words]: Row<One>) => request.text.lastIndexOf(words);
      const [last] = rows.toSorted((one, other) => placeOf(other) - placeOf(one));
      if (last === undefined) throw new Error('nothing was ever asked');
      return stepOf(last, request);
    },
  ];
}

export const writesTotal =
  (content: string) =>
  (request: Asked): MessagesStep => ({ tools: [writes(request, 'src/total.ts', content)] });

/** Leftover in the folder of a turn that will be lost, beside its file. */
export function writesTooMuch(request: Asked): MessagesStep {
  return {
    tools: [writes(request, 'src/stray.ts', 'stray\n'), writes(request, 'src/total.ts', 'half of it\n')],
  };
}

function writes(request: Asked, path: string, content: string) {
  return { name: 'Write', input: { file_path: join(workFolderIn(request), path), content } };
}

export function reads(path: string) {
  return { name: 'Read', input: { file_path: path } };
}

const leadPrompts: readonly Row<MessagesStep>[] = [
  [
    'it asks a question before it answers',
    (request) => ({ tools: [reads('/etc/passwd'), reads(join(workFolderIn(request), 'src/rate.ts'))] }),
  ],
  ['Phase: requirements.', { text: '[CONSULT:REQUIREMENTS]\nTotals with tax.' }],
  ['Write down what is settled', { text: 'Totals with tax, in cents.\n\n## ASSUMPTIONS\n- One rate.' }],
  ['Phase: design.', { text: '[CONSULT:DESIGN]\nOne function `total(net)`.' }],
  ['Write down the design', { text: 'One function.\n\n## DECISION\nTaken: it is the simplest.' }],
  ['Phase: review.', { text: '[REQUEST:REVIEW]\nLook at how the sum is made.' }],
  ['The review found faults', writesTotal(fixed)],
  ['Phase: implementation.', writesTotal(risky)],
  ['ADVICE', { text: 'Done: src/total.ts is new.' }],
];

/**
 * The additional steps of a turn that finds another file than its session remembers: Claude Code had kept the result
 * of the lost edit before it was killed, and the file was restored since. Its own error names no file.
 */
export const rereads: readonly string[] = ['has been modified since read', 'export const total'];

export const leadRows: readonly Row<MessagesStep>[] = [
  doItAgain(leadPrompts),
  ['export const rate = 19', { text: '## CONTEXT\nThe rate is in src/rate.ts: `export const rate = 19;`' }],
  ...leadPrompts,
  ['src/total.ts', afterTool],
  [
    'has been modified since read',
    (request) => ({ tools: [reads(join(workFolderIn(request), 'src/total.ts'))] }),
  ],
  ['export const total', writesTotal(fixed)],
];

/** The file is written: the first round requests advice, the second one ends the work. */
function afterTool({ text }: Asked): MessagesStep {
  return text.includes('The review found faults')
    ? { text: 'Mended: no eval.' }
    : { text: '[CONSULT:IMPLEMENTATION]\nIs eval all right here?' };
}

const advisorPrompts: readonly Row<Step>[] = [
  [
    '[RESPONSE:CLAUDE:CONTEXT]',
    {
      text: answer('DESIGN', {
        ASSESSMENT: 'Sound.',
        RISKS: 'None',
        ALTERNATIVES: 'None',
        RECOMMENDATION: 'Do it.',
      }),
    },
  ],
  [
    '[CONSULT:REQUIREMENTS]',
    {
      text: answer('REQUIREMENTS', {
        CLARIFICATION_QUESTIONS: '1. Which rate?',
        CONSIDERATIONS: 'Rounding.',
      }),
    },
  ],
  ['[CONSULT:DESIGN]', { text: '[CONSULT:CLAUDE:CONTEXT]\nWhere does the rate come from?' }],
  [
    '[CONSULT:IMPLEMENTATION]',
    { text: answer('IMPLEMENTATION', { ADVICE: 'No.', PATTERNS: 'None', CAVEATS: 'None' }) },
  ],
  ['=> eval(', { text: reviewed(critical()) }],
  ['[REQUEST:REVIEW]', { text: reviewed('None') }],
];

export const advisorRows: readonly Row<Step>[] = [doItAgain(advisorPrompts), ...advisorPrompts];

export const lead: MessagesScript = byWords(leadRows);
export const advisor: Script = byWords(advisorRows);

function answer(phase: string, sections: Readonly<Record<string, string>>): string {
  const blocks = Object.entries(sections).map(([name, text]) => `## ${name}\n\n${text}\n`);
  return `[RESPONSE:${phase}]\n\n${blocks.join('\n')}`;
}

function reviewed(issues: string): string {
  return answer('REVIEW', { STRENGTHS: '- Small.', ISSUES: issues, SUGGESTIONS: 'None' });
}

function critical(): string {
  const line = risky.trim().split('\n')[1];
  return `### Critical\n1. **eval runs text** — \`src/total.ts:2\`\n   \`\`\`\n   ${line}\n   \`\`\`\n   Why: it runs whatever comes.\n   Fix: add the numbers.`;
}
