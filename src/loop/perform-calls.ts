/** Runs the tool calls of one response, each to one result (R004-14, X004-4, X004-6, X004-11). */
import type { EventBody } from '../events/collab-event.ts';
import type { Clock } from '../process/clock.ts';
import type { ToolCallPart, ToolResultPart } from '../providers/model.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import type { Tool, ToolCall, ToolOutcome } from '../tools/interfaces.ts';
import type { ToolPolicy } from './tool-policy.ts';

export interface CallSetting {
  readonly tools: readonly Tool[];
  readonly policy: ToolPolicy;
  readonly clock: Clock;
  /** Ids in events begin with it: a model's own may come twice in a run. */
  readonly prefix: string;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

/** Read-only calls that follow each other run at the same time; the results come in the order of the calls. */
export async function performCalls(
  calls: readonly ToolCallPart[],
  setting: CallSetting,
): Promise<readonly ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const group of groupsOf(calls, setting.tools)) {
    const first = results.length;
    results.push(
      ...(await Promise.all(group.map((call, index) => performCall(call, first + index, setting)))),
    );
  }
  return results;
}

function groupsOf(
  calls: readonly ToolCallPart[],
  tools: readonly Tool[],
): readonly (readonly ToolCallPart[])[] {
  const isReadOnly = ({ name }: ToolCallPart): boolean =>
    tools.find((tool) => tool.name === name)?.readOnly ?? true;
  const groups: ToolCallPart[][] = [];
  for (const [index, call] of calls.entries()) {
    const before = calls[index - 1];
    const joins = before !== undefined && isReadOnly(before) && isReadOnly(call);
    if (joins) groups.at(-1)?.push(call);
    else groups.push([call]);
  }
  return groups;
}

async function performCall(call: ToolCallPart, index: number, setting: CallSetting): Promise<ToolResultPart> {
  const { clock, emit } = setting;
  const callId = `${setting.prefix}/call-${index + 1}`;
  const begunAt = clock.now();
  emit(callEvent(call, callId));
  const close = ({ content, isError, data }: ToolOutcome): void => {
    emit({ type: 'tool.status', call_id: callId, status: isError ? 'error' : 'completed', message: '' });
    emit({
      type: 'tool.result',
      call_id: callId,
      name: call.name,
      content,
      ...(data === undefined ? {} : { data }),
      is_error: isError,
      duration_ms: Math.max(0, Math.round(clock.now() - begunAt)),
    });
  };
  try {
    const outcome = await orAborted(outcomeOf(call, callId, setting), setting.signal);
    const content = (await maskSecrets(outcome.content)).text;
    close({ ...outcome, content });
    return { type: 'tool_result', id: call.id, content, is_error: outcome.isError };
  } catch (error) {
    close({ content: 'The turn ended before the tool did.', isError: true });
    throw error;
  }
}

async function outcomeOf(call: ToolCallPart, callId: string, setting: CallSetting): Promise<ToolOutcome> {
  const { tools, signal, emit } = setting;
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return observation(unknownTool(call.name, tools));
  if (!(await isAllowed(tool, call, callId, setting))) {
    return observation(`${tool.name} was not allowed to run. Go on without it.`);
  }
  emit({ type: 'tool.status', call_id: callId, status: 'running', message: '' });
  return tool.run(call.args, { signal });
}

/** A refusal or an answer of the user is told; that a policy lets everybody read is not worth an event a call. */
async function isAllowed(
  tool: Tool,
  call: ToolCall,
  callId: string,
  { policy, signal, emit }: CallSetting,
): Promise<boolean> {
  const leave = policy.leaveFor(tool, call);
  if (leave === 'allow') return true;
  const decision = leave === 'ask' ? await policy.ask(tool, call, signal) : 'deny';
  signal.throwIfAborted();
  emit({ type: 'permission', call_id: callId, decision, by: leave === 'ask' ? 'user' : 'policy' });
  return decision === 'allow';
}

/** What the model is told instead of a result, so that it can correct itself. */
function observation(content: string): ToolOutcome {
  return { content, isError: true };
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const known =
    tools.length === 0 ? 'There are none.' : `There are ${tools.map((tool) => tool.name).join(', ')}.`;
  return `There is no tool ${JSON.stringify(name)}. ${known}`;
}

function callEvent({ name, args }: ToolCallPart, callId: string): EventBody {
  const isRecord = args !== null && typeof args === 'object' && !Array.isArray(args);
  const record = isRecord ? args : { arguments: args };
  const [first = ''] = Object.values(record);
  return {
    type: 'tool.call',
    call_id: callId,
    name,
    display_name: name,
    args: record,
    summary: typeof first === 'string' ? first : JSON.stringify(first),
    trigger: 'agent',
  };
}

/** What is slow to notice an abort is not waited for. */
export async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave);
  }
}
