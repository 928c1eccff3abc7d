/**
 * The definitions of specification 004, for tools and providers by other authors: `codex-collab/interfaces`. The module
 * imports nothing (R004-15). Types in the specification are copied here unchanged, `any` included.
 */

/** A tool call requested by a model. */
export interface ToolCall {
  /** Id of this call; a provider whose API sends none creates one (a UUID). */
  id?: string;
  /** The exact name of a tool. */
  name: string;
  /** As the model wrote them, unchecked. */
  args: any;
}

export type ContentType = 'text' | 'image' | 'audio' | 'video' | 'ui' | 'tool_call';

/** One piece of an answer. It has the fields of its type and no others. */
export interface ContentSegment {
  type: ContentType;
  /** For `text`. */
  text?: string;
  /** For `image`, `audio` and `video`: Base64 or an address. */
  data?: string;
  /** For `image`, `audio` and `video`, such as image/png. */
  mimeType?: string;
  /** For `tool_call`. */
  toolCall?: ToolCall;
  /** For `ui`: a component as JSON. */
  ui?: any;
}

/** A model's complete answer. */
export interface ProviderResponse {
  /** In the model's order. */
  segments: ContentSegment[];
  /** Tokens, time and similar data. The provider gets them back in `IAgentContext.memory`. */
  metadata?: any;
}

/** A part of an answer as it arrives. `generate` returns the sum of all parts (X004-12). */
export type ProviderPiece =
  /** More text for the segment at this index. */
  | { type: 'text_delta'; index: number; text: string }
  /** A complete segment. Indexes order the segments; gaps are allowed. */
  | { type: 'segment'; index: number; segment: ContentSegment }
  | { type: 'metadata'; metadata: any };

/** A model behind an API. */
export interface IProvider {
  name: string;
  /** @throws AgentPainException for an unreadable answer, unless a `text` segment reports it */
  generate(prompt: string, context: IAgentContext): Promise<ProviderResponse>;
  /** Yields the same answer piece by piece. */
  stream?(prompt: string, context: IAgentContext): AsyncIterable<ProviderPiece>;
}

/** A provider's view of the agent that calls it. */
export interface IAgentContext {
  /** The tools that the model may call in this turn, by name. */
  tools: Map<string, ITool>;
  /** Everything before the prompt, oldest first. The prompt is empty if tool results came last. */
  memory?: readonly MemoryEntry[];
  /** The model's instructions about itself. */
  system?: string;
  /** `none`: the tools are known, but must not be called in this turn. */
  toolChoice?: 'auto' | 'none';
  signal?: AbortSignal;
}

export type MemoryEntry =
  | { role: 'user'; text: string; media?: ContentSegment[] }
  | { role: 'assistant'; segments: ContentSegment[]; metadata?: any }
  /** The result of a tool call, or the reason why there is none (R004-14). */
  | { role: 'tool'; id: string; content: string; isError: boolean };

/** A tool's description for a model. */
export interface ITool {
  /** Tool calls use exactly this name. It may contain dots: `fs.read`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A tool with its implementation. */
export interface Tool extends ITool {
  /** Other names by which a user may call it: `/read`. */
  readonly aliases?: readonly string[];
  /** True if the tool changes nothing: such calls of one response run in parallel (X004-11) and need no permission. */
  readonly readOnly: boolean;
  /** A component that shows the calls of the tool, such as `{ html_file: 'index.html' }`. */
  readonly ui?: Json;
  /**
   * Returns an error message for bad arguments; null if they fit. Called before the user is asked for permission
   * (X004-6).
   */
  readonly faultOf?: (args: Json) => string | null;
  /** Returns the scope of calls that a person allows for the whole conversation; absent: every call of the tool. */
  readonly scopeOf?: (args: Json) => string;
  /** Reports failures in its outcome; rejects only for our own bugs and, with the signal's reason, for an abort. */
  run(args: Json, context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  /** Receives the tool's output while it runs. */
  readonly tellOutput?: (chunk: string) => void;
  /** Secrets that the user passes to tools, by name; their values are masked in all tool results. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export interface ToolOutcome {
  /** The text for the model. */
  readonly content: string;
  readonly isError: boolean;
  /** The same for programs. */
  readonly data?: Json;
  /** Exit code of a program that the tool ran; null if it had none. */
  readonly exitCode?: number | null;
  /** Files that the tool wrote, relative to the top of the repository. */
  readonly changed?: readonly { readonly path: string; readonly kind: 'add' | 'update' }[];
}

/** An unintelligible answer of an API (R004-13, X004-8). */
export class AgentPainException extends Error {
  override readonly name = 'AgentPainException';
  /** The API's answer, as far as it is known. */
  readonly raw: unknown;

  constructor(message: string, options: { readonly cause?: unknown; readonly raw?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.raw = options.raw;
  }
}
