/**
 * One turn of the loop for a client of specification 003: implements `handleFunctionCalls` and its stream (R003-16, R003-17).
 */
import { isAbsolute } from 'node:path';
import { ValueError } from '../errors/provider-error.ts';
import { systemClock } from '../system/clock.ts';
import type { CallLoop, CallTurn, ClientContext, LoadedTool } from '../providers/client/client-context.ts';
import { createClientModel } from '../providers/client/client-model.ts';
import { defaultBudgets } from '../config/repair-budgets.ts';
import { answerWaitMs, overloadedWaitsMs, turnLimits } from '../config/waits.ts';
import { createEventQueue } from '../providers/client/event-queue.ts';
import { toModelMessages } from '../providers/history/history-messages.ts';
import { getConversationThread } from '../providers/history/history.ts';
import { argumentsOf } from '../providers/history/messages-history.ts';
import type { Json, Tool, ToolOutcome } from '../tools/definition/interfaces.ts';
import type { ProviderEvent } from '../providers/client/provider-event.ts';
import { createProviderProjection } from '../providers/client/provider-projection.ts';
import { runLoop, type LoopEnd } from './execution-loop.ts';
import { readOnlyPolicy, type ToolPolicy } from './tool-policy.ts';

export type ClientContextParts = Omit<ClientContext, 'chat_manager' | 'perform_calls'>;

/** Creates a context that contains the loop. @throws ValueError for a path that is not absolute (X003-8) */
export function createClientContext(parts: ClientContextParts): ClientContext {
  for (const key of ['chat_path', 'history_path', 'app_path'] as const) {
    if (!isAbsolute(parts[key])) throw new ValueError(`${key} must be absolute, not ${parts[key]}`);
  }
  return { ...parts, chat_manager: { getConversationThread }, perform_calls: performClientCalls };
}

const performClientCalls: CallLoop = async function* performClientCalls(turn) {
  const projection = createProviderProjection();
  const queue = createEventQueue<ProviderEvent>();
  const ended = run(turn, (events) => events.forEach((event) => queue.push(event)), projection)
    .then((end) =>
      end.kind === 'answered'
        ? projection.complete({ usage: end.usage, stopReason: end.stopReason })
        : projection.fail(),
    )
    .catch((error: unknown) => {
      if (turn.context.abort_event.aborted) return projection.abort();
      const message = error instanceof Error ? error.message : String(error);
      return projection.fail({ code: 'internal', message, retryable: false });
    })
    .finally(() => queue.end());
  yield* queue.items();
  yield* await ended;
};

async function run(
  { client, stream, modelId, history, context }: CallTurn,
  tell: (events: readonly ProviderEvent[]) => void,
  projection: ReturnType<typeof createProviderProjection>,
): Promise<LoopEnd> {
  const { name } = client;
  const identity = { provider: name, displayName: name, version: null, model: modelId };
  return runLoop({
    model: createClientModel({
      client,
      name,
      modelId,
      pricing: client.profileOf(modelId)?.pricing,
      identity: { ...identity, login: null, destination: null, remarks: [] },
      begun: stream,
    }),
    system: context.system_prompt ?? '',
    tools: context.tool_loader.listTools().map((tool) => toolOf(tool, context)),
    policy: leftToTheLoader,
    limits: turnLimits,
    repeats: { most: defaultBudgets.waiting, waitsMs: overloadedWaitsMs, longestMs: answerWaitMs },
    clock: systemClock,
    history: toModelMessages(getConversationThread(history), { model: modelId }),
    callId: context.execution_id,
    signal: context.abort_event,
    emit: (event) => tell(projection.push(event)),
    keep: () => undefined,
  });
}

/** Allows every call: the creator of the context decides in `executeTool` what may run. */
const leftToTheLoader: ToolPolicy = { ...readOnlyPolicy, leaveFor: () => 'allow' };

/** Specification 003 does not mark read-only tools, so their calls run one after the other. */
function toolOf({ ui_info: ui, ...tool }: LoadedTool, context: ClientContext): Tool {
  return {
    ...tool,
    readOnly: false,
    ...(ui?.has_ui === true ? { ui: ui.html_file === undefined ? {} : { html_file: ui.html_file } } : {}),
    async run(args) {
      try {
        return outcomeOf(await context.tool_loader.executeTool(tool.name, argumentsOf(args), context));
      } catch (error) {
        return { content: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
  };
}

function outcomeOf(result: unknown): ToolOutcome {
  const written = JSON.stringify(result) ?? 'null';
  const data: Json = JSON.parse(written);
  return { content: typeof result === 'string' ? result : written, isError: false, data };
}
