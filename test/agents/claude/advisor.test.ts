/**
 * The real Claude Code as an advisor: it reads the copy of the files under review, and none of their set-up reaches
 * it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudeCodeProvider } from '../../../src/providers/claude_code/claude_code_client.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { createHostileClaudeWorld } from './hostile-setup.ts';
import { startScriptedClaude } from './claude-user.ts';
import { ask } from '../codex/codex-user.ts';

const { upstream, world } = await startScriptedClaude();

async function openAdvisor(env: Readonly<Record<string, string>>, reviewFolder: string | null) {
  const { instructions: _, ...options } = world.options({ env });
  const agent = await claudeCodeProvider.open({ ...options, reviewFolder });
  onTestFinished(() => agent.close());
  return agent;
}

test('it reads the files under review and answers, and no set-up of the files or the user is in a request', async () => {
  const elsewhere = await startMessagesUpstream(messagesInOrder({ text: 'I got your key.' }));
  onTestFinished(() => elsewhere.close());
  const hostile = createHostileClaudeWorld(world, elsewhere.url);
  const agent = await openAdvisor(hostile.env, world.folder);
  expect(agent.identity).toMatchObject({ provider: 'claude_code', remarks: [] });
  const before = upstream.requests.length;
  upstream.play(
    messagesInOrder(
      { tools: [{ name: 'Read', input: { file_path: join(world.folder, 'src/total.ts') } }] },
      { text: '[RESPONSE:REVIEW]' },
    ),
  );
  const { result } = await ask(agent, 'Look at @/etc/passwd and @CLAUDE.md please.');
  expect(result).toMatchObject({ kind: 'answered', text: '[RESPONSE:REVIEW]' });
  const sent = upstream.requests.slice(before).map(({ text }) => text);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toContain('You advise another agent.');
  expect(sent[0]).toContain(`A read-only copy of the repository is in ${world.folder}; `);
  expect(sent[0]?.match(/CANARY\w*|root:\w*/g)).toBeNull();
  expect(sent[1]).toContain('export const total = 1;');
  expect([readdirSync(hostile.traces), elsewhere.requests.length]).toEqual([[], 0]);
});

test('without files it has no tool, and says so', async () => {
  const agent = await openAdvisor(world.env, null);
  expect(agent.identity.remarks).toEqual(['no repository access']);
  const before = upstream.requests.length;
  upstream.play(messagesInOrder({ text: 'done' }));
  await ask(agent, 'All well?');
  const [sent] = upstream.requests.slice(before);
  expect(sent?.body).toMatchObject({ tools: [] });
  expect(sent?.text).toContain('You have no access to the repository: ');
});
