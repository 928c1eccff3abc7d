/** The suite of specification 003's clients over the agents, with their real programs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { CodexClient } from '../../src/providers/codex/codex_client.ts';
import { ClaudeCodeClient } from '../../src/providers/claude_code/claude_code_client.ts';
import {
  describeClients,
  worldAt,
  type ClientFixture,
  type ClientWorld,
} from '../contract/providers/client-suite.ts';
import { stepOf } from '../contract/providers/openai-responses.ts';
import { startMessagesUpstream } from '../upstream/messages-server.ts';
import { startUpstream } from '../upstream/responses-server.ts';
import { createClaudeWorld } from './claude/claude-user.ts';
import { createWorld } from './codex/codex-user.ts';

const repository = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'collab-clients-'));

// A program in the current repository is not started, and the pinned ones are in ours.
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(repository);
  rmSync(folder, { recursive: true, force: true });
});

const codex: ClientFixture = {
  name: 'codex',
  Client: CodexClient,
  async start(script) {
    const upstream = await startUpstream((request) => stepOf(script(request)));
    const world = createWorld({ url: upstream.url });
    return besides(worldAt(upstream, world.env), world);
  },
  usage: { input_tokens: 90, output_tokens: 20, cache_read_tokens: 10 },
  faults: [
    ['401', { status: 401 }, { code: 'auth', retryable: false }],
    ['429', { status: 429 }, { code: 'overloaded', retryable: true }],
    ['503', { status: 503 }, { code: 'overloaded', retryable: true }],
    ['a cut', { text: 'a long answer', cut: true }, { code: 'network', retryable: true }],
  ],
};

const claudeCode: ClientFixture = {
  name: 'claude_code',
  Client: ClaudeCodeClient,
  async start(script) {
    const upstream = await startMessagesUpstream(script);
    const world = createClaudeWorld(upstream.url);
    const env = { ...world.env, CLAUDE_CODE_API_BASE: upstream.url };
    return besides(worldAt(upstream, env), world);
  },
  usage: { input_tokens: 120, output_tokens: 34, cache_read_tokens: 2000 },
  faults: [
    ['401', { status: 401 }, { code: 'auth', retryable: false }],
    ['429', { status: 429 }, { code: 'overloaded', retryable: true }],
    ['529', { status: 529 }, { code: 'overloaded', retryable: true, error: expect.stringContaining('API') }],
    ['a cut', { text: 'a long answer', cut: true }, { code: 'network', retryable: true }],
  ],
};

describeClients([codex, claudeCode]);

/** Ends the agent before its upstream. */
function besides(world: ClientWorld, agents: { close(): Promise<void> }): ClientWorld {
  return {
    ...world,
    async close() {
      await agents.close();
      await world.close();
    },
  };
}
