/** Starts and answers runs at a server, as a program does. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';
import { example } from '../packed/place.ts';
import type { ServerMember } from './fleet.ts';

export function conversationAt(server: ServerMember, conversation: string): string {
  return `${server.url()}/api/tenants/local/conversations/${conversation}`;
}

const startedSchema = z.object({ run_id: z.string() });

/** Starts a review of an example, once the server has its database; returns its id. */
export async function startServed(
  server: ServerMember,
  { conversation, advisor }: { readonly conversation: string; readonly advisor: string },
): Promise<string> {
  const diff = readFileSync(example('checkout.diff'), 'utf8');
  let text = '';
  const start = async (): Promise<string> => {
    const body = { kind: 'review', input: { diff }, advisor };
    const answer = await post(`${conversationAt(server, conversation)}/runs`, body);
    ({ text } = answer);
    return answer.status === 201 ? 'started' : `${answer.status} ${text}`;
  };
  await expect.poll(start, { timeout: 60_000, message: `${server.name} starts a review` }).toBe('started');
  return startedSchema.parse(JSON.parse(text)).run_id;
}

/** Answers a question of a run. @throws Error if the server gives no answer */
export async function answerServed(
  server: ServerMember,
  { conversation, runId, name, value }: ServedAnswer,
): Promise<void> {
  await post(`${conversationAt(server, conversation)}/runs/${runId}/answers/${name}`, { value });
}

interface ServedAnswer {
  readonly conversation: string;
  readonly runId: string;
  readonly name: string;
  readonly value: string;
}

async function post(url: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}
