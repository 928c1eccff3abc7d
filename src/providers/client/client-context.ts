/** The context that a caller passes to `handleFunctionCalls` (R003-40). Keys are the specification's. */
import type { ITool } from '../../tools/definition/interfaces.ts';
import type { ProviderEvent, UiInfo } from './provider-event.ts';
import type { AiClient } from './ai-client.ts';
import type { ConversationHistory, HistoryMessage } from '../history/history.ts';

export interface ClientContext {
  readonly model: string;
  readonly thinking_budget: number | null;
  /** Absolute (X003-8). */
  readonly chat_path: string;
  /** Absolute. */
  readonly history_path: string;
  /** Absolute. */
  readonly app_path: string;
  /** A port, as a string. */
  readonly main_port: string;
  readonly abort_event: AbortSignal;
  readonly execution_id: string;
  readonly chat_id: string;
  readonly chat_manager: ChatManager;
  readonly tool_loader: ToolLoader;
  readonly debug_mode: boolean;
  readonly system_prompt: string | null;
  /** Our extension: the turn of the one tool loop, which is above all providers and is passed down to them. */
  readonly perform_calls: CallLoop;
}

export interface ChatManager {
  getConversationThread(history: ConversationHistory): readonly HistoryMessage[];
}

export interface ToolLoader {
  /** The tools that the model may call. */
  listTools(): readonly LoadedTool[];
  /** @throws any error of the tool, which is reported to the model */
  executeTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: ClientContext,
  ): Promise<unknown>;
}

/** A tool, with the page that shows its calls if it has one (R003-32). */
export interface LoadedTool extends ITool {
  readonly ui_info?: UiInfo;
}

export interface CallTurn {
  readonly client: AiClient;
  /** The answer, which may contain calls. */
  readonly stream: AsyncIterable<ProviderEvent>;
  readonly modelId: string;
  /** Ends with the message that the stream answers. */
  readonly history: ConversationHistory;
  readonly context: ClientContext;
}

/** Runs the calls of an answer, sends the results, and repeats until an answer contains no calls. */
export type CallLoop = (turn: CallTurn) => AsyncIterable<ProviderEvent>;
