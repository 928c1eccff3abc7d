/** Masks secrets in what is sent to an agent and in what it returns. */
import { z } from 'zod';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import type { NewMessage } from '../../providers/history/history-edit.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { kindsOf } from '../../secrets/text-range.ts';
import { maskEvents, maskValue } from '../../secrets/mask-events.ts';

/** Performs a turn and masks the agent's text in it. */
export async function maskedTurn<Call extends TurnCall>(
  turn: (call: Call) => Promise<TurnResult>,
  call: Call,
): Promise<TurnResult> {
  const events = maskEvents(call.emit);
  const result = await turn({ ...call, emit: events.emit });
  await events.drained();
  if (result.kind === 'answered') return { ...result, ...(await maskedAnswer(result.text)) };
  return { ...result, message: await masked(result.message) };
}

export async function maskedAnswer(said: string): Promise<{ text: string; covered?: readonly string[] }> {
  const { text, found } = await maskSecrets(said);
  return { text, ...(found.length === 0 ? {} : { covered: kindsOf(found) }) };
}

/** Masks a message's text and calls for the history. Parts that only the model understands stay unchanged. */
export async function maskedMessage(message: NewMessage): Promise<NewMessage> {
  const { tool_calls: calls } = message;
  return {
    ...message,
    content: await masked(message.content),
    ...(calls === undefined ? {} : { tool_calls: await Promise.all(calls.map(maskedCall)) }),
  };
}

type KeptCall = NonNullable<NewMessage['tool_calls']>[number];

async function maskedCall(call: KeptCall): Promise<KeptCall> {
  return { ...call, arguments: argumentsSchema.parse(await maskValue(call.arguments)) };
}

const argumentsSchema = z.record(z.string(), z.json());

export async function masked(text: string): Promise<string> {
  return (await maskSecrets(text)).text;
}
