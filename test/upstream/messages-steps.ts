/** The steps of the Messages API's scripted model: one step answers one request. */
import { takeTurns, type Script } from './steps.ts';

export type MessagesStep = (MessageStep | MessagesFault) & {
  /** The answer begins when this settles: the test decides when, not a timer. */
  readonly gate?: Promise<unknown>;
};

/** A whole message of the model: any of these, in this order. */
export interface MessageStep {
  readonly thinking?: string;
  readonly text?: string;
  /** Several are parallel calls. */
  readonly tools?: readonly ToolUse[];
  /** Default: `tool_use` with tools, else `end_turn`. */
  readonly stopReason?: string;
  /** Overrides the default figures (120 in, 34 out, 2000 read from the cache, 1000 written to it). */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Sends text and thinking in pieces of this many characters; by default the text in two halves. */
  readonly pieceLength?: number;
  /** The second half of the text is sent when this settles. */
  readonly midway?: Promise<unknown>;
  /** Breaks off in the middle of the text: the connection is destroyed. */
  readonly cut?: true;
  /** The stream ends in the middle of the text, as if it were complete. */
  readonly endEarly?: true;
  /** An `error` event in the middle of the text. */
  readonly streamError?: { readonly type: string; readonly message: string };
  /** Sends half of the text and then nothing more. */
  readonly hang?: 'stream';
  /** Sends half of the text, and then more of it until the connection is closed. Only in streams of the Messages API. */
  readonly endless?: true;
}

export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export interface StatusFault {
  readonly status: number;
  /** Such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The vendor's name of it, such as `rate_limit_error`; of the Messages API by default the one that belongs to the
   * status.
   */
  readonly type?: string;
  readonly message?: string;
  /** Instead of the error that `type` and `message` make. */
  readonly body?: unknown;
}

export type MessagesFault =
  | StatusFault
  /** Accepts the request and never answers. */
  | { readonly hang: 'headers' }
  /** Accepts the request and destroys the connection. */
  | { readonly reset: true };

export type MessagesScript = Script<MessagesStep>;

/** One step per request; the last one repeats. */
export function messagesInOrder(...steps: readonly MessagesStep[]): MessagesScript {
  return takeTurns(steps);
}
