// One turn of `codex app-server` with the permission profile of a review, and nothing of a review: the prompt comes on standard input.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openCodex } from '../src/providers/codex/advisor.ts';

const [stateFolder] = process.argv.slice(2);
const reviewFolder = join(stateFolder, 'review');
mkdirSync(reviewFolder, { recursive: true });
const { signal } = new AbortController();
const limitMs = 60_000;
const agent = await openCodex({
  env: process.env,
  cwd: process.cwd(),
  settings: {},
  signal,
  runId: 'bench',
  model: null,
  stateFolder,
  reviewFolder,
  limits: { firstSignMs: limitMs, firstByteMs: limitMs, idleMs: limitMs, totalMs: limitMs },
});
const prompt = await text(process.stdin);
const call = { prompt, callId: 'bench/1', sessionId: null, signal, emit() {}, async bind() {} };
const result = await agent.turn(call);
await agent.close();
if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
process.stdout.write(result.text);
