/**
 * The definitions of specification 004, for tools and for providers that others write: `codex-collab/interfaces`. The module
 * imports nothing (R004-15). Where the specification writes a type, it stands here as it is written there, `any` included.
 */

/** What a model wants done. */
export interface ToolCall {
  /** Of this call; a provider whose API gives none makes one up (a UUID). */
  id?: string;
  /** Exactly the name of a tool. */
  name: string;
  /** As the model wrote them, not checked. */
  args: any;
}

export type ContentType = 'text' | 'image' | 'audio' | 'video' | 'ui' | 'tool_call';

/** One piece of an answer. It has the fields of its type and no others. */
export interface ContentSegment {
  type: ContentType;
  /** Of `text`. */
  text?: string;
  /** Of `image`, `audio` and `video`: Base64 or an address. */
  data?: string;
  /** Of `image`, `audio` and `video`, such as image/png. */
  mimeType?: string;
  /** Of `tool_call`. */
  toolCall?: ToolCall;
  /** Of `ui`: a component as JSON. */
  ui?: any;
}

/** A whole answer of a model. */
export interface ProviderResponse {
  /** In the order in which the model gave them. */
  segments: ContentSegment[];
  /** Tokens, time and the like. What a provider puts here comes back to it in `IAgentContext.memory`. */
  metadata?: any;
}

/** A part of an answer while it comes. `generate` gives what all of them come to (X004-12). */
export type ProviderPiece =
  /** More of the text segment at this place. */
  | { type: 'text_delta'; index: number; text: string }
  /** A whole segment. Places order the segments; they need not be without gaps. */
  | { type: 'segment'; index: number; segment: ContentSegment }
  | { type: 'metadata'; metadata: any };

/** A model behind some API. */
export interface IProvider {
  name: string;
  /** @throws AgentPainException for an answer that cannot be read, unless a `text` segment says so */
  generate(prompt: string, context: IAgentContext): Promise<ProviderResponse>;
  /** The same, piece by piece. */
  stream?(prompt: string, context: IAgentContext): AsyncIterable<ProviderPiece>;
}

/** What a provider knows of the agent that asks. */
export interface IAgentContext {
  /** By their names: what the model may call in this turn. */
  tools: Map<string, ITool>;
  /** Names this set of tools by its content: for APIs that take the definitions once. */
  toolsId?: string;
  /** What was said and done before the prompt, the oldest first. The prompt is empty where results of tools came last. */
  memory?: readonly MemoryEntry[];
  /** What the model is told about itself. */
  system?: string;
  /** `none`: the tools are known, but may not be called in this turn. */
  toolChoice?: 'auto' | 'none';
  signal?: AbortSignal;
}

export type MemoryEntry =
  | { role: 'user'; text: string; media?: ContentSegment[] }
  | { role: 'assistant'; segments: ContentSegment[]; metadata?: any }
  /** What came of a tool call, or why nothing did (R004-14). */
  | { role: 'tool'; id: string; content: string; isError: boolean };

/** A tool as a model is told of it. */
export interface ITool {
  /** A tool call names it exactly so. It may be dotted: `fs.read`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A tool with what it does. */
export interface Tool extends ITool {
  /** Other names by which a user may call it: `/read`. */
  readonly aliases?: readonly string[];
  /** Changes nothing: such calls of one response run at the same time (X004-11) and need no permission. */
  readonly readOnly: boolean;
  /** What is wrong with arguments, as a sentence; null where they fit. Asked before anybody is asked for leave (X004-6). */
  readonly faultOf?: (args: Json) => string | null;
  /** Which calls a person means who allows one for the whole conversation; absent: every call of the tool. */
  readonly scopeOf?: (args: Json) => string;
  /** Says what went wrong in its outcome; rejects only for our own bugs and, with the signal's reason, for an abort. */
  run(args: Json, context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  /** Is given what the tool prints, while it runs. */
  readonly tellOutput?: (chunk: string) => void;
  /** Secrets that the user hands to tools, by their names; their values are covered in all that a tool gives back. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export interface ToolOutcome {
  /** What the model reads. */
  readonly content: string;
  readonly isError: boolean;
  /** The same for programs. */
  readonly data?: Json;
  /** Of a program that the tool ran; null where it had none. */
  readonly exitCode?: number | null;
  /** Files that the tool wrote, relative to the top of the repository. */
  readonly changed?: readonly { readonly path: string; readonly kind: 'add' | 'update' }[];
}

/** An answer of an API that cannot be made sense of (R004-13, X004-8). */
export class AgentPainException extends Error {
  override readonly name = 'AgentPainException';
  /** What the API said, as far as it is known. */
  readonly raw: unknown;

  constructor(message: string, options: { readonly cause?: unknown; readonly raw?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.raw = options.raw;
  }
}
