/** Performs one tool call of the model or the user; every refusal is an observation (R004-14, X004-4, X004-6). */
import type { EventBody } from '../events/collab-event.ts';
import { nearestFew } from '../text/nearest.ts';
import type { Clock } from '../system/clock.ts';
import { createLineMasker } from '../secrets/line-masker.ts';
import { masked } from '../secrets/mask-secrets.ts';
import type { Tool, ToolOutcome } from '../tools/definition/interfaces.ts';
import {
  refusedCall,
  toolNotOffered,
  unfinishedCall,
  unknownTool,
} from '../prompts/conversation/loop-notices.ts';
import { orAborted } from '../system/or-aborted.ts';
import type { Permission, ToolPolicy, Trigger } from './tool-policy.ts';
import type { HandedCall } from '../providers/contract/contract.ts';

export interface CallSetting {
  /** All tools. */
  readonly tools: readonly Tool[];
  /** The tools offered to the model; if absent, all. */
  readonly injected?: readonly Tool[];
  readonly policy: ToolPolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

export interface Call extends HandedCall {
  readonly trigger: Trigger;
}

/** Rejects for bugs of collab and, with the signal's reason, for an abort; the call is closed then too. */
export async function performCall(call: Call, setting: CallSetting): Promise<ToolOutcome> {
  const { clock, emit } = setting;
  const begunAt = clock.now();
  emit(callEvent(call, setting.tools.find(({ name }) => name === call.name)?.ui));
  const close = ({ content, isError, data, exitCode, changed = [] }: ToolOutcome): void => {
    for (const { path, kind } of changed) emit({ type: 'file.changed', path, kind });
    emit({ type: 'tool.status', call_id: call.id, status: isError ? 'error' : 'completed', message: '' });
    emit({
      type: 'tool.result',
      call_id: call.id,
      name: call.name,
      content,
      ...(data === undefined ? {} : { data }),
      is_error: isError,
      ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      duration_ms: Math.max(0, Math.round(clock.now() - begunAt)),
    });
  };
  try {
    const outcome = await orAborted(outcomeOf(call, setting), setting.signal);
    const shown = { ...outcome, content: masked(outcome.content) };
    close(shown);
    return shown;
  } catch (error) {
    close({ content: unfinishedCall, isError: true });
    throw error;
  }
}

async function outcomeOf(call: Call, setting: CallSetting): Promise<ToolOutcome> {
  const { tools, injected = tools, emit } = setting;
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return observation(noSuchTool(call.name, tools));
  if (call.trigger === 'agent' && !injected.includes(tool)) return observation(toolNotOffered(tool.name));
  const fault = tool.faultOf?.(call.args) ?? null;
  if (fault !== null) return observation(fault);
  const permission = await leaveFor(tool, call, setting);
  if (permission.decision === 'deny') return observation(refusedCall(tool.name, permission.reason));
  emit({ type: 'tool.status', call_id: call.id, status: 'running', message: '' });
  return runTool(tool, call, setting);
}

async function runTool(tool: Tool, call: Call, { signal, emit }: CallSetting): Promise<ToolOutcome> {
  const masker = createLineMasker();
  const tell = (chunk: string): void => {
    if (chunk !== '' && !signal.aborted) emit({ type: 'tool.output', call_id: call.id, chunk });
  };
  const outcome = await tool.run(call.args, { signal, tellOutput: (chunk) => tell(masker.push(chunk)) });
  tell(masker.flush());
  return outcome;
}

/** Reports every decision as an event, except that a read-only tool was allowed. */
async function leaveFor(tool: Tool, call: Call, { policy, signal, emit }: CallSetting): Promise<Permission> {
  const leave = policy.leaveFor(tool, call, call.trigger);
  const permission: Permission =
    leave === 'ask'
      ? await policy.ask(tool, call, signal, call.trigger)
      : { decision: leave, by: call.trigger === 'user' && leave === 'allow' ? 'user' : 'policy' };
  signal.throwIfAborted();
  if (leave === 'allow' && tool.readOnly) return permission;
  emit({ type: 'permission', call_id: call.id, decision: permission.decision, by: permission.by });
  return permission;
}

/** The text that the model gets in place of a result, so that it can correct itself. */
function observation(content: string): ToolOutcome {
  return { content, isError: true };
}

const listedNames = 32;

function noSuchTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  return unknownTool(name, names.length > listedNames ? nearestFew(name, names, 5) : names, names.length > 0);
}

function callEvent({ id, name, args, trigger }: Call, ui: Tool['ui']): EventBody {
  const isRecord = args !== null && typeof args === 'object' && !Array.isArray(args);
  const record = isRecord ? args : { arguments: args };
  const [first = ''] = Object.values(record);
  return {
    type: 'tool.call',
    call_id: id,
    name,
    display_name: name,
    args: record,
    summary: typeof first === 'string' ? first : JSON.stringify(first),
    trigger,
    ...(ui === undefined ? {} : { ui }),
  };
}
