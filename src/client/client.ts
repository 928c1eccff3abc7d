/** `codex-collab/client`: the stream of specification 002 for browsers and programs, without Node and React. */
export type * from '../views/stream/event.ts';
export * from '../views/stream/guards.ts';
export { createConversation, type Conversation } from './conversation.ts';
export type { StreamingHandlers } from './handlers.ts';
export {
  cancelRun,
  streamConversation,
  type ConversationAddress,
  type RunningStream,
  type ConversationStreamOptions,
} from './stream-conversation.ts';
export type { AgentState, ContextStatus, StreamingState } from './streaming-state.ts';
