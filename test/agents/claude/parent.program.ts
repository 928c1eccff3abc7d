/**
 * A program that is killed in the middle of a turn: it opens Claude Code like `collab`, sends a prompt, and prints
 * what it sees.
 */
import { claudeCodeProvider } from '../../../src/providers/claude_code/claude_code_client.ts';

const [stateFolder = '', cwd = '', folder = '', url = ''] = process.argv.slice(2);
const say = (fields: object): void => void process.stdout.write(`${JSON.stringify(fields)}\n`);

const agent = await claudeCodeProvider.openLead({
  env: process.env,
  cwd,
  settings: { 'claude_code.base_url': url },
  signal: new AbortController().signal,
  runId: 'run-1',
  model: null,
  stateFolder,
  instructions: 'You lead.',
  limits: { firstSignMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
});
const result = await agent.turn({
  work: { kind: 'draft', phase: 'requirements', round: 1, access: 'read', folder },
  prompt: 'to be killed',
  callId: 'lead_killed/1/1',
  sessionId: null,
  signal: new AbortController().signal,
  emit: (event) => say({ event: event.type }),
  bind: async (sessionId) => say({ bound: sessionId }),
});
say({ result: result.kind });
