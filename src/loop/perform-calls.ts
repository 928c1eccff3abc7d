/** Runs the tool calls of one response, each to one result (X004-11). */
import type { ToolCallPart, ToolResultPart } from '../providers/contract/model.ts';
import type { Tool } from '../tools/definition/interfaces.ts';
import { performCall, type CallSetting } from './perform-call.ts';

/** Runs consecutive read-only calls in parallel; the results are in the order of the calls. */
export async function performCalls(
  calls: readonly ToolCallPart[],
  setting: CallSetting & {
    /** The prefix of ids in events: a model may repeat its own ids within a run. */
    readonly prefix: string;
  },
): Promise<readonly ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const group of groupsOf(calls, setting.tools)) {
    const first = results.length;
    const outcomes = group.map((call, index) =>
      performCall({ ...call, id: `${setting.prefix}/call-${first + index + 1}`, trigger: 'agent' }, setting),
    );
    const ended = await Promise.all(outcomes);
    for (const [index, { content, isError }] of ended.entries()) {
      results.push({ type: 'tool_result', id: group[index]?.id ?? '', content, is_error: isError });
    }
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
