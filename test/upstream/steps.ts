/** The scripted model's steps: one step answers one request. */
export type Step = (AnswerStep | FaultStep) & {
  /** The answer begins when this settles: the test decides when, not a timer. */
  readonly gate?: Promise<unknown>;
};

/** A whole answer of the model: any of these, in this order. */
export interface AnswerStep {
  readonly reasoning?: string;
  /** True to stream the reasoning piece by piece, too. */
  readonly streamsReasoning?: true;
  readonly text?: string;
  /** A review in `text` gets no closing line. */
  readonly unclosed?: true;
  readonly phase?: 'commentary' | 'final_answer';
  readonly calls?: readonly FunctionCall[];
  /** Calls with free text for input, as `apply_patch` has. */
  readonly custom?: readonly { readonly name: string; readonly input: string }[];
  /** Output items as they are. */
  readonly items?: readonly object[];
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Ends as unfinished, with this reason: `max_output_tokens`, `content_filter`. */
  readonly incomplete?: string;
  /** Breaks off in the middle of the text: the connection is destroyed. */
  readonly cut?: true;
  /** The stream ends in the middle of the text, as if it were complete. */
  readonly endEarly?: true;
  /** Lines that are not a server-sent event: a client continues after `tolerated` ones and ends after `fatal` ones. */
  readonly malformed?: 'tolerated' | 'fatal';
  /** Sends half of the text and then nothing more. */
  readonly hang?: 'stream';
  /** Sends half of the text, and then more of it until the connection is closed. */
  readonly endless?: true;
  /** The second half of the text is sent when this settles. */
  readonly midway?: Promise<unknown>;
  /** Fails in the middle of the text. */
  readonly failsMidway?: { readonly code: string; readonly message: string };
}

export interface FunctionCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type FaultStep =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly failed: { readonly code: string; readonly message: string } }
  /** Accepts the request and never answers. */
  | { readonly hang: 'headers' }
  /** Accepts the request and destroys the connection. */
  | { readonly reset: true };

/** Chooses the step that answers a request. */
export type Script<One = Step> = (request: ModelRequest) => One;

export interface ModelRequest {
  /** 0 for the first request to the model. */
  readonly index: number;
  /** The body as text, to search it for canaries. */
  readonly text: string;
  /** The last message of a user (or a tool). */
  readonly lastInput: string;
}

/** One step per request; the last one repeats. */
export function inOrder(...steps: readonly Step[]): Script {
  return takeTurns(steps);
}

/** `inOrder` for steps of any kind. */
export function takeTurns<One>(steps: readonly One[]): Script<One> {
  let next = 0;
  return () => {
    const step = steps[Math.min(next, steps.length - 1)];
    next += 1;
    if (step === undefined) throw new Error('a script needs at least one step');
    return step;
  };
}

/** The first script whose key is found in the request; for parallel conversations. */
export function byContent(scripts: Readonly<Record<string, Script>>): Script {
  return (request) => {
    const found = Object.entries(scripts).find(([key]) => request.text.includes(key));
    if (found === undefined)
      throw new Error(`no script for a request that ends ${request.lastInput.slice(-200)}`);
    return found[1](request);
  };
}
