/**
 * Handles a line that the user typed before a model sees it (R004-1): a command runs at once, all other text is sent to the
 * model.
 */
import { findCommand } from '../tools/commands/find-command.ts';
import type { ToolOutcome } from '../tools/definition/interfaces.ts';
import { readSlashArguments } from '../tools/commands/slash-arguments.ts';
import { readSlashLine } from '../tools/commands/slash-line.ts';
import { performCall, type CallSetting } from './perform-call.ts';

export type TypedEnd =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ran'; readonly tool: string; readonly outcome: ToolOutcome }
  /** Nothing ran, and nothing is sent to the model. */
  | { readonly kind: 'refused'; readonly message: string };

/** `callId` identifies the call in events. Rejects like `performCall`. */
export async function runTypedLine(typed: string, callId: string, setting: CallSetting): Promise<TypedEnd> {
  const line = readSlashLine(typed);
  if (line.kind === 'text') return line;
  const found = findCommand(line.name, setting.tools);
  if (!found.ok) return { kind: 'refused', message: found.why };
  const { command: tool } = found;
  const read = readSlashArguments(line.rest, tool);
  const fault = read.ok ? (tool.faultOf?.(read.args) ?? null) : read.why;
  if (!read.ok || fault !== null) return { kind: 'refused', message: fault ?? '' };
  const call = { id: callId, name: tool.name, args: read.args, trigger: 'user' } as const;
  return { kind: 'ran', tool: tool.name, outcome: await performCall(call, setting) };
}
