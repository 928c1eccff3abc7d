/**
 * A bare model's interface: one streamed turn over a history that the caller keeps. It runs no tool and remembers nothing; the
 * loop (`src/loop`) makes an agent of it.
 */
import { z } from 'zod';
import type { Usage } from '../../events/collab-event.ts';
import type { AgentIdentity, ProviderEnvironment, TurnResult } from './contract.ts';
import type { Profile } from '../profiles/profile.ts';
import type { ITool } from '../../tools/definition/interfaces.ts';

export interface Model {
  readonly identity: AgentIdentity;
  /** Makes one turn. Returns failures as a result; rejects only for our own bugs and, with the signal's reason, for an abort. */
  turn(request: ModelTurn): Promise<ModelReply>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export interface ModelOptions extends ProviderEnvironment {
  readonly model: string | null;
  /** The model's profile, null if it has none. Default: the provider's own. */
  readonly profile?: Profile | null;
}

export interface ModelTurn {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ITool[];
  /** `none`: the model knows the tools, but may not call them in this turn. */
  readonly toolChoice: 'auto' | 'none';
  /** The caller's changes of the model's defaults; a model without such a parameter leaves it out. */
  readonly parameters?: ModelParameters;
  /** Aborts the request by closing its connection. */
  readonly signal: AbortSignal;
  readonly say: (sign: ModelSign) => void;
}

/** The part of a turn that a vendor's request holds. */
export type ModelRequest = Pick<ModelTurn, 'system' | 'tools' | 'toolChoice' | 'messages' | 'parameters'>;

export interface ModelParameters {
  /** 0 to 2. */
  readonly temperature?: number;
  /** Tokens. */
  readonly thinkingBudget?: number;
  /** Fields of the request by their API names; they replace ours, except for the model, the messages and the tools. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A sign of the model while it answers. Blocks are counted from 0; each block that begins also ends, unless the turn fails. */
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
  /** Data arrived that is not shown. */
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

/** A value that only this model understands, such as signed thinking; it is sent back unchanged. */
const opaquePart = z.object({ type: z.literal('opaque'), value: z.json() });

const saidPart = z.discriminatedUnion('type', [textPart, toolCallPart, opaquePart]);
export type SaidPart = z.infer<typeof saidPart>;

/** A user's media: an image, audio, a video or a document, as base64. */
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

/** One message of a history, which is stored as JSON. The message that follows a `tool_call` answers it. */
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
  /** Usage of this turn, as far as it is known; a turn that failed half way may have been paid for. */
  readonly usage: Usage | null;
}

export type ModelEnd =
  | { readonly kind: 'said'; readonly parts: readonly SaidPart[]; readonly stopReason: string | null }
  | ModelFailure;

/** A failure of a `TurnResult`, without a session. */
export type ModelFailure =
  | { readonly kind: 'timed_out'; readonly limit: 'context'; readonly message: string }
  | {
      readonly kind: 'overloaded';
      readonly message: string;
      readonly retryAfterMs: number | null;
      /** The key's own limit, not overload of the API. */
      readonly rateLimited?: boolean;
      /** No server was reached. */
      readonly unreachable?: true;
    }
  | Extract<TurnResult, { kind: 'unavailable' }>
  | { readonly kind: 'empty' | 'cut'; readonly message: string };
