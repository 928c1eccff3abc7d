/**
 * `collab run` with the real Codex and the real Claude Code, each before a scripted model: a file is implemented and
 * fixed.
 */
import { expect, test } from 'vitest';
import { advisor, lead, fixed } from './pair-scripts.ts';
import { startPairWorld } from './pair-user.ts';

const world = await startPairWorld();

test('a small repository gets a new file, a fixed Critical finding and a clean review, and the result is applied', async () => {
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
  expect(folder.read('src/total.ts')).toBe(fixed);
  // The branch of the run ends with the apply.
  expect(folder.git('log', '--format=%s', '--all').trim()).toBe('first');
});

test('R001-5 X001-7.2,4 what the advisor asks back is answered from a file of the repository; a path outside is refused', async () => {
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
