/**
 * `collab fix` with the real Codex and the real Claude Code, each before a scripted model: three findings are fixed, one
 * is refused, the fix is reviewed again and applied to a file with the user's own edits.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byWords, reads, writesTotal, type Row } from './pair-scripts.ts';
import { startPairWorld, workFolderIn } from './pair-user.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import type { Step } from '../../upstream/steps.ts';

const world = await startPairWorld();

const faults = [
  'export const total = (net: number) => eval(`${net} + 19`);',
  'export const half = (net: number) => net / 3;',
  'export const last = (nets: number[]) => nets[nets.length];',
  'export const ten = 10;',
];
const fixed = [
  'export const total = (net: number) => net + 19;',
  'export const half = (net: number) => net / 2;',
  'export const last = (nets: number[]) => nets.at(-1);',
  'export const ten = 10;',
];
const mine = '// my own line, not committed';

const before = `${faults.join('\n')}\n${mine}\n`;
const after = `${fixed.join('\n')}\n${mine}\n`;

function reviewed(issues: string): Step {
  return {
    text: `[RESPONSE:REVIEW]\n\n## STRENGTHS\n\n- Small.\n\n## ISSUES\n\n${issues}\n\n## SUGGESTIONS\n\nNone\n`,
  };
}

const found = faults.map(
  (line, index) =>
    `${index + 1}. **Line ${index + 1} is wrong** — \`src/total.ts:${index + 1}\`\n   \`\`\`\n   ${line}\n   \`\`\`\n   Why: it gives a wrong result.\n`,
);

const isMeantToFix = 'Findings that the change is meant to fix';
const advisorRows: readonly Row<Step>[] = [
  [isMeantToFix, reviewed('None')],
  ['[REQUEST:REVIEW]', reviewed(`### Critical\n\n${found.join('\n')}`)],
];

const leadRows: readonly Row<MessagesStep>[] = [
  [
    'A code review left these findings',
    (request) => ({ tools: [reads(join(workFolderIn(request), 'src/total.ts'))] }),
  ],
  [
    'src/total.ts',
    { text: 'Three were real.\n\nF1: fixed\nF2: fixed\nF3: fixed\nF4: refused: ten is ten.\n' },
  ],
  [mine, writesTotal(after)],
];

test('three findings are fixed, one is refused, and edits of the user in the same file are never lost', async () => {
  const folder = world.repository({ files: { 'src/total.ts': 'export {};\n' } });
  folder.write('src/total.ts', before);
  const edited = `${before}// written while the lead worked\n`;
  const reviewedAgain: string[] = [];
  world.codex.play(
    byWords(advisorRows, (words, { lastInput }) => {
      if (words === isMeantToFix) reviewedAgain.push(lastInput);
      return null;
    }),
  );
  world.claude.play(
    byWords(leadRows, (words) => {
      if (words === mine) folder.write('src/total.ts', edited);
      return null;
    }),
  );
  expect((await folder.pair('review', '--effort', 'quick', '--advisor', 'codex')).code).toBe(1);
  const pair = ['--lead', 'claude_code', '--advisor', 'codex', '--yes'];
  const ended = await folder.pair('fix', '--all-critical', ...pair);
  // The refused finding is still Critical.
  expect(ended).toMatchObject({ code: 1 });
  const { stdout } = await folder.run('show', 'latest', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    input: { kind: 'fix' },
    lead: { provider: 'claude_code', version: expect.stringMatching(/^\d/) },
    advisor: { provider: 'codex' },
    fix: {
      findings: [
        { id: 'F1', fate: 'fixed' },
        { id: 'F2', fate: 'fixed' },
        { id: 'F3', fate: 'fixed' },
        { id: 'F4', fate: 'refused', reason: 'ten is ten.' },
      ],
    },
    findings: [{ verdict: 'disputed', evidence: 'ten is ten.' }],
    workflow: { ended: { code: 'done' }, applied: 'left' },
  });
  expect(reviewedAgain).toEqual([expect.stringContaining(fixed[0] ?? '')]);
  expect(folder.read('src/total.ts')).toBe(edited);
  expect(await folder.run('apply')).toMatchObject({ code: 2 });
  expect(folder.read('src/total.ts')).toBe(edited);
  folder.write('src/total.ts', before);
  expect(await folder.run('apply')).toMatchObject({ code: 0 });
  expect(folder.read('src/total.ts')).toBe(after);
  expect(folder.git('branch', '--list', 'collab/*')).toBe('');
}, 300_000);
