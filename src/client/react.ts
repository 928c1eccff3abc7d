/** `codex-collab/react`: the hook and the component of specification 002. */
export { Chat, type ChatProps } from './chat.tsx';
export { useStreaming, type StreamingHook, type UseStreamingOptions } from './use-streaming.ts';
