/** One turn of a lead made of a model, in a process of its own: `lead-turn.program <JSON>`; prints its outcome. */
import { z } from 'zod';
import { anthropicProvider } from '../../../src/providers/anthropic/anthropic_client.ts';
import { openModelLead } from '../../../src/runs/agents/model-lead.ts';

const orderSchema = z.object({
  url: z.string(),
  stateFolder: z.string(),
  folder: z.string(),
  prompt: z.string(),
  callId: z.string(),
  sessionId: z.string().nullable(),
  /** A lost call to recover first; the turn is made only if nothing is found. */
  harvest: z.string().nullable(),
});

const order = orderSchema.parse(JSON.parse(process.argv[2] ?? ''));
const signal = new AbortController().signal;
const lead = await openModelLead(anthropicProvider, {
  env: process.env,
  cwd: order.stateFolder,
  settings: { 'anthropic.base_url': order.url },
  signal,
  runId: 'r',
  model: null,
  stateFolder: order.stateFolder,
  limits: { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 60_000 },
  instructions: 'You lead.',
});
if (order.harvest !== null) {
  print({ harvest: await lead.harvest(order.sessionId ?? '', order.harvest) });
}
const result = await lead.turn({
  prompt: order.prompt,
  callId: order.callId,
  sessionId: order.sessionId,
  signal,
  emit: () => {},
  bind: async (sessionId) => print({ bound: sessionId }),
  work: { kind: 'draft', phase: 'design', round: 1, access: 'read', folder: order.folder },
});
print({ result });
await lead.close();

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
