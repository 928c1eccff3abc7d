/** Masks secrets in what is sent to an agent and in what it returns, and bounds the latter. */
import { isDeepStrictEqual } from 'node:util';
import { maxAnswerBytes } from '../../parsers/markdown/answer-size.ts';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import type { NewMessage } from '../../providers/history/history-edit.ts';
import { masked, maskSecrets } from '../../secrets/mask-secrets.ts';
import { kindsOf } from '../../secrets/text-range.ts';
import { maskEvents, maskValue } from '../../secrets/mask-events.ts';
import { boundedTurn } from './bounded-turn.ts';

/** Performs a turn and masks the agent's text in it. */
export async function maskedTurn<Call extends TurnCall>(
  turn: (call: Call) => Promise<TurnResult>,
  call: Call,
): Promise<TurnResult> {
  const events = maskEvents(call.emit);
  const result = await boundedTurn(turn, { ...call, emit: events.emit });
  events.finish();
  if (result.kind === 'answered') return { ...result, ...maskedAnswer(result.text) };
  return { ...result, message: masked(result.message) };
}

/** Masks an answer; of one that is too large, keeps just enough to detect that. */
export function maskedAnswer(said: string): { text: string; covered?: readonly string[] } {
  const { text, found } = maskSecrets(said.slice(0, maxAnswerBytes + 1));
  return { text, ...(found.length === 0 ? {} : { covered: kindsOf(found) }) };
}

/** Masks a message's text and calls for the history. Signed thinking cannot be changed: with a secret in it, it is left out. */
export function maskedMessage(message: NewMessage): NewMessage {
  const { tool_calls: calls, opaque, ...rest } = message;
  return {
    ...rest,
    content: masked(message.content),
    ...(calls === undefined ? {} : { tool_calls: calls.map(maskedCall) }),
    ...(opaque === undefined ? {} : { opaque: { ...opaque, values: opaque.values.filter(isClean) } }),
  };
}

function isClean(value: unknown): boolean {
  return isDeepStrictEqual(maskValue(value), value);
}

type KeptCall = NonNullable<NewMessage['tool_calls']>[number];

function maskedCall(call: KeptCall): KeptCall {
  return { ...call, arguments: maskValue(call.arguments) };
}
