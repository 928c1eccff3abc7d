/** A history that a model accepts: the roles alternate, and every tool call is answered in the next message. */
import { unrunCall } from '../prompts/conversation/loop-notices.ts';
import type { ModelMessage, SaidPart, ToolCallPart, ToolResultPart } from '../providers/contract/model.ts';

export type History = readonly ModelMessage[];
type UserParts = Extract<ModelMessage, { role: 'user' }>['parts'];

/**
 * Adds a prompt; first answers calls that were never answered. A last prompt that got no reply, as when the API was overloaded,
 * is not repeated.
 */
export function addPrompt(history: History, text: string): History {
  if (endsWith(history, text)) return history;
  const lost = unanswered(history).map(({ id }): ToolResultPart => ({
    type: 'tool_result',
    id,
    content: unrunCall,
    is_error: true,
  }));
  return addUser(history, [...lost, { type: 'text', text }]);
}

export function addResults(history: History, results: readonly ToolResultPart[]): History {
  return addUser(history, [...results]);
}

/** Adds the model's reply; returns the history unchanged if the reply is empty. */
export function addReply(history: History, parts: readonly SaidPart[]): History {
  return parts.length === 0 ? history : [...history, { role: 'assistant', parts: [...parts] }];
}

export function callsIn(parts: readonly SaidPart[]): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool_call');
}

export function textIn(parts: readonly SaidPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns the last text sent to the model, without tool results. */
export function lastPrompt(history: History): string {
  const message = history.findLast(
    ({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'),
  );
  const part = message?.parts.findLast(({ type }) => type === 'text');
  return part?.type === 'text' ? part.text : '';
}

/** Returns the names of the tools that the model called in its last `turns` replies. */
export function calledLately(history: History, turns: number): ReadonlySet<string> {
  const replies = history.flatMap((message) => (message.role === 'assistant' ? [message.parts] : []));
  return new Set(replies.slice(-turns).flatMap((parts) => callsIn(parts).map(({ name }) => name)));
}

function endsWith(history: History, text: string): boolean {
  const last = history.at(-1);
  const part = last?.role === 'user' ? last.parts.at(-1) : undefined;
  return part?.type === 'text' && part.text === text;
}

function addUser(history: History, parts: UserParts): History {
  const last = history.at(-1);
  if (last?.role !== 'user') return [...history, { role: 'user', parts }];
  return [...history.slice(0, -1), { role: 'user', parts: [...last.parts, ...parts] }];
}

function unanswered(history: History): readonly ToolCallPart[] {
  const last = history.at(-1);
  return last?.role === 'assistant' ? callsIn(last.parts) : [];
}
