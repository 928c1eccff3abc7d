/** The Stop hook that `collab init --stop-hook` writes, in the real Claude Code and with the real Codex. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createPluginWorld, type PluginWorld } from './plugin-user.ts';

let plugin: PluginWorld;

beforeAll(async () => {
  plugin = await createPluginWorld();
  const { code } = await plugin.cloned('npx', 'init', '--stop-hook');
  if (code !== 0) throw new Error(`collab init ended with ${code}`);
});

afterAll(async () => {
  await plugin.close();
});

test('findings send Claude back to work, once', async () => {
  plugin.codexModel.play(inOrder({ text: criticalReview }));
  expect(await stop()).toEqual([
    expect.not.stringContaining('The total doubled'),
    expect.stringContaining('The total doubled'),
  ]);
});

test('a failed review does not keep Claude from stopping', async () => {
  // An earlier review would be answered without a call.
  writeFileSync(join(plugin.project, 'src/fresh.ts'), 'export const fresh = 1;\n');
  plugin.codexModel.play(inOrder({ status: 401, body: { error: { message: 'no' } } }));
  const before = plugin.codexModel.requests.length;
  expect(await stop()).toHaveLength(1);
  expect(plugin.codexModel.requests.length).toBeGreaterThan(before);
});

/** The requests to Claude's model while it answers and wants to stop. */
async function stop(): Promise<readonly string[]> {
  const before = plugin.claudeModel.requests.length;
  const session = await plugin.claude({
    through: 'path',
    allow: [],
    script: messagesInOrder({ text: 'Done.' }),
  });
  expect(session).toMatchObject({ code: 0, denied: [] });
  return plugin.claudeModel.requests.slice(before).map(({ text }) => text);
}

const criticalReview = `[RESPONSE:REVIEW]

## STRENGTHS
None

## ISSUES
### Critical
1. **The total doubled** — \`src/total.ts:1\`
   \`\`\`
   export const total = 2;
   \`\`\`
   Why: everybody pays twice.
   Fix: keep it at one.

## SUGGESTIONS
None
`;
