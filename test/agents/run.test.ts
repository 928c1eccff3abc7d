/** `collab run` with the real Codex and the real Claude Code, each before a scripted model: a file is implemented and mended. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import type { MessagesScript, MessagesStep } from '../upstream/messages-steps.ts';
import type { Script, Step } from '../upstream/steps.ts';
import { createPairWorld, workFolderIn, type PairWorld } from './pair-world.ts';

const risky =
  'import { rate } from "./rate.ts";\nexport const total = (net: number) => eval(`${net} + ${rate}`);\n';
const mended = 'import { rate } from "./rate.ts";\nexport const total = (net: number) => net + rate;\n';

let world: PairWorld;

beforeAll(async () => {
  world = await createPairWorld();
});

afterEach(() => world.nothingLeft());
afterAll(() => world.close());

/** The first row whose words are in the last thing that was said. */
type Rows<One> = readonly (readonly [
  words: string,
  step: One | ((request: { readonly text: string }) => One),
])[];

function byWords<One extends MessagesStep | Step>(rows: Rows<One>) {
  return (request: { readonly text: string; readonly lastInput: string }): One => {
    const row = rows.find(([words]) => request.lastInput.includes(words));
    if (row === undefined) throw new Error(`nothing to say to ${request.lastInput.slice(0, 400)}`);
    const [, step] = row;
    return typeof step === 'function' ? step(request) : step;
  };
}

const write = (content: string) => (request: { readonly text: string }) => ({
  tools: [{ name: 'Write', input: { file_path: join(workFolderIn(request), 'src/total.ts'), content } }],
});

const lead: MessagesScript = byWords<MessagesStep>([
  [
    'it asks back before it answers',
    (request) => ({ tools: [reads('/etc/passwd'), reads(join(workFolderIn(request), 'src/rate.ts'))] }),
  ],
  ['export const rate = 19', { text: '## CONTEXT\nThe rate is in src/rate.ts: `export const rate = 19;`' }],
  ['Phase: requirements.', { text: '[CONSULT:REQUIREMENTS]\nTotals with tax.' }],
  ['Write down what is settled', { text: 'Totals with tax, in cents.\n\n## ASSUMPTIONS\n- One rate.' }],
  ['Phase: design.', { text: '[CONSULT:DESIGN]\nOne function `total(net)`.' }],
  ['Write down the design', { text: 'One function.\n\n## DECISION\nTaken: it is the simplest.' }],
  ['Phase: review.', { text: '[REQUEST:REVIEW]\nLook at how the sum is made.' }],
  ['The review found faults', write(mended)],
  ['Phase: implementation.', write(risky)],
  ['src/total.ts', afterTool],
  ['ADVICE', { text: 'Done: src/total.ts is new.' }],
]);

function reads(path: string) {
  return { name: 'Read', input: { file_path: path } };
}

/** The file is written: in the first round advice is asked for, in the second the work is done. */
function afterTool({ text }: { readonly text: string }): MessagesStep {
  return text.includes('The review found faults')
    ? { text: 'Mended: no eval.' }
    : { text: '[CONSULT:IMPLEMENTATION]\nIs eval all right here?' };
}

const advisor: Script = byWords<Step>([
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
]);

test('a small repository gets a file implemented, a Critical finding fixed, a clean review, and the result applied', async () => {
  const folder = world.repository();
  world.claude.play(lead);
  world.codex.play(advisor);
  const ended = await folder.pair(
    'run',
    'Totals with tax',
    '--lead',
    'claude_code',
    '--advisor',
    'codex',
    '--yes',
    '--apply',
  );
  expect(ended).toMatchObject({ code: 0 });
  expect(folder.result()).toMatchObject({
    outcome: 'clean',
    lead: { provider: 'claude_code', version: expect.stringMatching(/^\d/) },
    advisor: { provider: 'codex' },
    workflow: { ended: { code: 'done' }, applied: 'applied' },
  });
  expect(folder.read('src/total.ts')).toBe(mended);
  expect(folder.git('log', '--format=%s', '--all').trim().split('\n')).toEqual([
    'Totals with tax (fix 1)',
    'Totals with tax',
    'first',
  ]);
});

test('R001-5 X001-7 what the advisor asks back is answered from a file of the repository; a path outside is refused', async () => {
  const folder = world.repository();
  world.claude.play(lead);
  world.codex.play(advisor);
  const [claudeBefore, codexBefore] = [world.claude.requests.length, world.codex.requests.length];
  const ended = await folder.pair(
    'run',
    'Totals with tax',
    '--lead',
    'claude_code',
    '--yes',
    '--phases',
    'requirements,design',
  );
  expect(ended).toMatchObject({ code: 0 });
  expect(folder.events().find(({ type }) => type === 'exchange.answered_back')).toMatchObject({
    by: 'lead',
    text: expect.stringContaining('export const rate = 19;'),
  });
  const read = world.claude.requests
    .slice(claudeBefore)
    .find(({ lastInput }) => lastInput.includes('tool_result'));
  expect(read?.lastInput).toContain('export const rate = 19;');
  expect(read?.lastInput).not.toContain('root:');
  const handedOver = world.codex.requests
    .slice(codexBefore)
    .find(({ lastInput }) => lastInput.includes('[RESPONSE:CLAUDE:CONTEXT]'));
  expect(handedOver?.lastInput).toContain('export const rate = 19;');
});

test('the lead through the SDK plans as well, and says at the implementation that it needs claude_code', async () => {
  const folder = world.repository();
  world.claude.play(lead);
  world.codex.play(advisor);
  const ended = await folder.pair('run', 'Totals with tax', '--lead', 'anthropic', '--yes', '--apply');
  expect(ended).toMatchObject({ code: 3 });
  expect(folder.result()).toMatchObject({
    outcome: 'incomplete',
    workflow: { ended: { code: 'lead_failed' }, applied: 'left' },
    reasons: [expect.stringMatching(/^agent_options: .*--lead claude_code/)],
  });
  expect(folder.result().workflow?.phases.map(({ phase, result }) => `${phase}: ${result}`)).toEqual([
    'requirements: settled',
    'design: settled',
    'implementation: the lead failed',
  ]);
  expect(folder.git('status', '--porcelain', '--ignored')).not.toContain('src/');
});

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
