/**
 * The names of specification 004 that the loop needs today; its segments and its `IProvider` come with the registry. It
 * imports nothing of ours, so that a plug-in can take it without the core (R004-15).
 */
import type { z } from 'zod';

/** A tool as a model is told of it. */
export interface ITool {
  /** A tool call names it exactly so. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them, not checked. */
  readonly args: Json;
}

export type Json = z.core.util.JSONType;

/** A tool with what it does. */
export interface Tool extends ITool {
  /** Changes nothing: such calls of one response run at the same time (X004-11) and need no permission. */
  readonly readOnly: boolean;
  /** Says what went wrong in its outcome; rejects only for our own bugs and, with the signal's reason, for an abort. */
  run(args: Json, context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolContext {
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  /** What the model reads. */
  readonly content: string;
  readonly isError: boolean;
  /** The same for programs. */
  readonly data?: Json;
}
