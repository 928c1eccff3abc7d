/** The second opinion with the real Codex and the real Claude Code, each before a scripted model. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, strengths, suggestions, verdict } from '../../fixtures/review-answers.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import { byWords, reads } from './pair-scripts.ts';
import { copyIn, startPairWorld } from './pair-user.ts';

const world = await startPairWorld();

const files = {
  'src/rate.ts': 'export const rate = 19;\n// Sums are whole cents: nothing is lost by rounding.\n',
  'src/total.ts': 'export const total = (net: number) => net;\n',
};
const changed = 'export const total = (net: number) => Math.round(net);';
const issues = `## ISSUES
### Critical
1. **Cents are lost** — \`src/total.ts:1\`
   \`\`\`
   ${changed}
   \`\`\`
   Why: it rounds.
   Fix: do not.
`;
const proof = '// Sums are whole cents: nothing is lost by rounding.';
const evidence = `\`src/rate.ts:2\`\n\`\`\`\n${proof}\n\`\`\``;

function reviewing() {
  const folder = world.repository({ files });
  folder.write('src/total.ts', `${changed}\n`);
  world.codex.play(byWords([['[REQUEST:REVIEW]', { text: answer(strengths, issues, suggestions) }]]));
  return folder;
}

test('a finding is rejected by code that the lead has really read, which is printed; a second review makes no call', async () => {
  const folder = reviewing();
  world.claude.play(
    byWords<MessagesStep>([
      ['Sums are whole cents', { text: verdict('reject', evidence, 'F1') }],
      [
        'You give the second opinion',
        (request) => ({ tools: [reads(join(copyIn(request), 'src/rate.ts'))] }),
      ],
    ]),
  );
  const ended = await folder.pair('review', '--advisor', 'codex', '--lead', 'claude_code');
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('second opinion by Claude Code');
  expect(ended.stdout).toContain('rejected by the lead, does not count');
  expect(ended.stdout).toContain('src/rate.ts:2');
  expect(ended.stdout).toContain('second opinion by Claude Code: 1 rejected');
  expect(folder.result()).toMatchObject({
    outcome: 'clean',
    findings: [{ id: 'F1', verdict: 'rejected', evidence: `They are whole cents.\nsrc/rate.ts:2\n${proof}` }],
    second_opinion: { state: 'given', asked: ['F1'], same_family: false },
    usage_by: [{ agent: 'advisor' }, { agent: 'lead', provider: 'claude_code' }],
  });
  const asked = [world.codex.requests.length, world.claude.requests.length];
  const again = await folder.pair('review', '--advisor', 'codex', '--lead', 'claude_code');
  expect([world.codex.requests.length, world.claude.requests.length]).toEqual(asked);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain('1 of 1 verdict of the lead from an earlier run');
  expect(again.stdout).toContain('src/rate.ts:2');
});

test('the same words without reading the file leave it disputed, and it counts', async () => {
  const folder = reviewing();
  world.claude.play(byWords([['You give the second opinion', { text: verdict('reject', evidence, 'F1') }]]));
  const ended = await folder.pair('review', '--advisor', 'codex', '--lead', 'claude_code');
  expect(ended).toMatchObject({ code: 1 });
  expect(folder.result()).toMatchObject({
    outcome: 'findings',
    findings: [{ verdict: 'disputed', evidence: expect.stringContaining('src/rate.ts') }],
  });
});

test('findings of rules are in the advisor’s real prompt, inside of a fence', async () => {
  const folder = world.repository({ files });
  folder.write('src/total.ts', 'export const total = (net: string) => eval(net);\n');
  const before = world.codex.requests.length;
  world.codex.play(
    byWords([['[REQUEST:REVIEW]', { text: answer(strengths, '## ISSUES\nNone\n', suggestions) }]]),
  );
  expect(await folder.pair('review', '--advisor', 'codex', '--lead', 'none')).toMatchObject({ code: 1 });
  expect(folder.result()).toMatchObject({
    outcome: 'findings',
    findings: [{ source: 'rule:eval-call', severity: 'critical', path: 'src/total.ts' }],
  });
  const [asked] = world.codex.requests.slice(before);
  expect(asked?.lastInput).toMatch(
    /their findings, which are already reported`\\n\\n```text data-\w+\\n- critical, src\/total\.ts:1: [^`]+\\n```\\n/,
  );
});
