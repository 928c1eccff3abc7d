/** A bare model on loopback, as the user's own configuration names it; it keeps its requests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Place } from '../packed/place.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../upstream/messages-server.ts';
import type { MessagesStep } from '../upstream/messages-steps.ts';

/** As `--advisor` and `--lead` take it. */
export const modelName = 'anthropic:claude-scripted';
export const modelKey = 'sk-ant-none';

export interface Model {
  readonly upstream: MessagesUpstream;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the runs' private folders. */
  readonly state: string;
  /** Everything that was sent to the model, except its own text, which a conversation sends back to it. */
  readonly sent: () => string;
  /** The key of each request. */
  readonly keys: () => readonly unknown[];
}

/** Closed with the test. Repeats the same answer until a test sets another. */
export async function openModel(place: Place, step: MessagesStep): Promise<Model> {
  const upstream = await startMessagesUpstream(() => step);
  onTestFinished(() => upstream.close());
  const own = join(place.environment['HOME'] ?? '', '.config/collab/collab.config.yaml');
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, `providers:\n  anthropic: { base_url: "${upstream.url}" }\n`);
  const state = join(place.folder, '../state');
  return {
    upstream,
    env: { ANTHROPIC_API_KEY: modelKey, XDG_STATE_HOME: state },
    state,
    sent: () => upstream.requests.map(({ body }) => JSON.stringify(body, withoutItsWords)).join('\n'),
    keys: () => [
      ...new Set(upstream.requests.map(({ headers }) => headers['x-api-key'] ?? headers.authorization)),
    ],
  };
}

function withoutItsWords(_name: string, value: unknown): unknown {
  const isOwn = typeof value === 'object' && value !== null && 'role' in value && value.role === 'assistant';
  return isOwn ? null : value;
}
