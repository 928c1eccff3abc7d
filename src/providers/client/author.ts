/** The exports for authors of a provider: `codex-collab/providers`. */
export {
  AiClient,
  variableOf,
  type AiClientClass,
  type AiClientOptions,
  type ClientAbilities,
  type FollowUpOptions,
  type FunctionResponsePart,
  type RequestOptions,
  type StreamOptions,
  type UploadTools,
} from './ai-client.ts';
export {
  APIError,
  codeOfStatus,
  ProviderError,
  ValueError,
  type ProviderErrorCode,
} from '../../errors/provider-error.ts';
export type { ChatManager, ClientContext, ToolLoader } from './client-context.ts';
export type { ClientResponse } from './fold-stream.ts';
export {
  appendMessage,
  branchesAt,
  editMessage,
  switchBranch,
  type NewMessage,
} from '../history/history-edit.ts';
export { checkHistory, parseHistory } from '../history/history-integrity.ts';
export { toModelMessages, withInput } from '../history/history-messages.ts';
export {
  emptyHistory,
  getConversationThread,
  newMessageId,
  type Attachment,
  type ConversationHistory,
  type HistoryMessage,
} from '../history/history.ts';
export { lawfulStream } from './lawful-stream.ts';
export type { ModelMessage } from '../contract/model.ts';
export type { Profile } from '../profiles/profile.ts';
export { decodeToolName, encodeToolName } from '../../tools/definition/tool-name.ts';
export type { ProviderEvent, ProviderUsage } from './provider-event.ts';
