/**
 * What a bare model offers: one streamed turn over a history that the caller keeps. It runs no tool and remembers nothing;
 * the loop (`src/loop`) makes an agent of it.
 */
import { z } from 'zod';
import type { Usage } from '../../events/collab-event.ts';
import type { AgentIdentity, ProviderEnvironment, TurnResult } from './contract.ts';
import type { Profile } from '../profiles/profile.ts';

export interface Model {
  readonly identity: AgentIdentity;
  /** Returns what went wrong; rejects only for our own bugs and, with the signal's reason, for an abort. */
  turn(request: ModelTurn): Promise<ModelReply>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export interface ModelOptions extends ProviderEnvironment {
  readonly model: string | null;
  /** What is known of it; absent: what the provider itself knows. Null: nothing is. */
  readonly profile?: Profile | null;
}

export interface ModelTurn {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Names this set of tools by its content, for APIs that take the definitions once (X004-10). */
  readonly toolsId?: string;
  /** `none`: the tools are known, but may not be called in this turn. */
  readonly toolChoice: 'auto' | 'none';
  /** Where the caller asks for something else than the model's own; a model without such a parameter leaves it out. */
  readonly parameters?: ModelParameters;
  /** Really ends the request: its connection is closed. */
  readonly signal: AbortSignal;
  readonly say: (sign: ModelSign) => void;
}

export interface ModelParameters {
  /** 0 to 2. */
  readonly temperature?: number;
  /** Tokens. */
  readonly thinkingBudget?: number;
  /** Fields of the request as the API names them; they stand before ours, but for the model, what is said and the tools. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Specification 004's `ITool`, as a model needs it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What is heard while the model answers. Blocks are counted from 0; each that began has its end, but for a failed turn. */
export type ModelSign =
  | { readonly kind: 'begun' }
  | { readonly kind: 'text' | 'thinking'; readonly block: number; readonly text: string }
  | { readonly kind: 'text_end'; readonly block: number }
  | { readonly kind: 'thinking_end'; readonly block: number; readonly redacted: boolean }
  | {
      readonly kind: 'media';
      readonly media: 'image' | 'audio' | 'video';
      readonly mimeType: string;
      /** Base64 or an address. */
      readonly data: string;
    }
  | { readonly kind: 'ui'; readonly component: z.core.util.JSONType }
  /** Something came that nobody shows. */
  | { readonly kind: 'alive' };

const textPart = z.object({ type: z.literal('text'), text: z.string() });

const toolCallPart = z.object({
  type: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  args: z.json(),
});
export type ToolCallPart = z.infer<typeof toolCallPart>;

const toolResultPart = z.object({
  type: z.literal('tool_result'),
  id: z.string(),
  content: z.string(),
  is_error: z.boolean(),
});
export type ToolResultPart = z.infer<typeof toolResultPart>;

/** What only this model understands, such as signed thinking; it is handed back as it came. */
const opaquePart = z.object({ type: z.literal('opaque'), value: z.json() });

const saidPart = z.discriminatedUnion('type', [textPart, toolCallPart, opaquePart]);
export type SaidPart = z.infer<typeof saidPart>;

/** What a user shows: a picture, a sound, a film or a document, as base64. */
const mediaPart = z.object({
  type: z.literal('media'),
  kind: z.enum(['image', 'video', 'audio', 'file']),
  mime_type: z.string(),
  data: z.string(),
  name: z.string(),
});
export type MediaPart = z.infer<typeof mediaPart>;

const heardPart = z.discriminatedUnion('type', [textPart, mediaPart, toolResultPart]);
export type HeardPart = z.infer<typeof heardPart>;

/** A history is a list of these, kept as JSON. Every `tool_call` is answered in the message that follows. */
export const modelMessageSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    parts: z.array(heardPart),
  }),
  z.object({ role: z.literal('assistant'), parts: z.array(saidPart) }),
]);
export type ModelMessage = z.infer<typeof modelMessageSchema>;

export interface ModelReply {
  readonly end: ModelEnd;
  /** Of this turn, as far as it is known; a turn that failed half way may have been paid for. */
  readonly usage: Usage | null;
}

export type ModelEnd =
  | { readonly kind: 'said'; readonly parts: readonly SaidPart[]; readonly stopReason: string | null }
  | ModelFailure;

/** As in a `TurnResult`, without a session. */
export type ModelFailure =
  | { readonly kind: 'timed_out'; readonly limit: 'context'; readonly message: string }
  | {
      readonly kind: 'overloaded';
      readonly message: string;
      readonly retryAfterMs: number | null;
      /** The key's own limit, not the API's load. */
      readonly rateLimited?: boolean;
    }
  | Extract<TurnResult, { kind: 'unavailable' }>
  | { readonly kind: 'empty' | 'cut'; readonly message: string };
