/** The client of specification 002, byte for byte as it is written there, bundled with React as its users would. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type {
  DoneStatus,
  StreamingEvent,
  StreamRequest,
  UsageInfo,
} from '../fixtures/streaming/specification-types.ts';

/** The hook as the specification's component uses it. */
export interface SpecifiedHook {
  readonly isStreaming: boolean;
  readonly sessionId: string | null;
  readonly currentText: string;
  readonly thinkingText: string;
  readonly tools: readonly string[];
  readonly usage: UsageInfo | null;
  readonly error: string | null;
  readonly status: DoneStatus | null;
  readonly lastSeq: number;
  readonly pendingTools: ReadonlyMap<string, unknown>;
  readonly execute: (request: StreamRequest, handlers?: SpecifiedHandlers) => Promise<void>;
  readonly cancel: () => void;
}

export interface SpecifiedHandlers {
  readonly onInit?: (data: StreamingEvent['data']) => void;
  readonly onThinking?: (content: string) => void;
  readonly onAssistant?: (text: string) => void;
  readonly onToolCall?: (data: { readonly tool_name: string }) => void;
  readonly onToolResult?: (data: { readonly tool_name: string }) => void;
  readonly onProgress?: (type: string, message: string) => void;
  readonly onTitle?: (title: string) => void;
  readonly onDone?: (data: StreamingEvent['data']) => void;
  readonly onError?: (message: string, recoverable: boolean) => void;
  readonly onContextStatus?: (data: StreamingEvent['data']) => void;
  readonly onInputDisabled?: (disabled: boolean, message: string) => void;
}

export interface SpecifiedClient {
  /** Shows the component of the specification in an element; returns what removes it. */
  showChat(element: unknown, ids: ConversationIds): () => void;
  /** Calls `keep` with each state of the hook of the specification; returns what removes it. */
  showHook(element: unknown, ids: ConversationIds, keep: (hook: SpecifiedHook) => void): () => void;
}

interface ConversationIds {
  readonly tenantId: string;
  readonly conversationId: string;
}

const fixtures = join(import.meta.dirname, '../fixtures');

/** The files by the names by which the specification imports them. */
const files: Readonly<Record<string, string>> = {
  '@/components/Chat': readFileSync(join(fixtures, 'specification/chat.txt'), 'utf8'),
  '@/hooks/useStreaming': readFileSync(join(fixtures, 'specification/use-streaming.txt'), 'utf8'),
  '@/types/streaming': readFileSync(join(fixtures, 'streaming/specification-types.ts'), 'utf8'),
  'specified-client': `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Chat } from '@/components/Chat';
    import { useStreaming } from '@/hooks/useStreaming';
    function show(element, component, properties) {
      const root = createRoot(element);
      root.render(createElement(component, properties));
      return () => root.unmount();
    }
    export const showChat = (element, ids) => show(element, Chat, ids);
    export const showHook = (element, ids, keep) => show(element, Kept, { ...ids, keep });
    function Kept({ tenantId, conversationId, keep }) {
      keep(useStreaming(tenantId, conversationId));
      return null;
    }`,
};

const suffix = '.specified.tsx';

/** Loads one file with the client, React and nothing of ours. */
export async function specifiedClient(): Promise<SpecifiedClient> {
  const build = await rolldown({
    input: 'specified-client',
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
    plugins: [
      {
        name: 'specification',
        resolveId: (name) => (name in files ? join(fixtures, `${encodeURIComponent(name)}${suffix}`) : null),
        load(path) {
          const name = path.endsWith(suffix) ? path.slice(fixtures.length + 1, -suffix.length) : '';
          return files[decodeURIComponent(name)] ?? null;
        },
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  const code = output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
