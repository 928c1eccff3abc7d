/**
 * A program that is killed in the middle of a turn: it opens Codex like `collab`, sends a prompt, and prints what it
 * sees.
 */
import { codexProvider } from '../../../src/providers/codex/advisor.ts';

const [stateFolder = '', cwd = '', reviewFolder = ''] = process.argv.slice(2);
const say = (fields: object): void => void process.stdout.write(`${JSON.stringify(fields)}\n`);

const agent = await codexProvider.open({
  env: process.env,
  cwd,
  settings: {},
  signal: new AbortController().signal,
  runId: 'run-1',
  model: null,
  stateFolder,
  reviewFolder,
  limits: { firstSignMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
});
say({ remarks: agent.identity.remarks });
const result = await agent.turn({
  request: {
    tag: '[REQUEST:REVIEW]',
    question: '',
    sections: [],
    required: [],
    optional: [],
    change: null,
    language: null,
  },
  prompt: 'collab asks: to be killed',
  callId: 'ex_1/1/1',
  sessionId: null,
  signal: new AbortController().signal,
  emit: (event) => say({ event: event.type }),
  bind: async (sessionId) => say({ bound: sessionId }),
});
say({ result: result.kind });
if (process.env['LEAVE'] !== undefined) await agent.close();
