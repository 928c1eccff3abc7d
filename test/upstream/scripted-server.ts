/** The common part of the scripted model servers: a step of a script answers each request to the model, and all are kept. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';
import { createArrivals, parseBody } from './loopback.ts';
import type { ModelRequest, Script } from './steps.ts';

export interface LoggedRequest extends ModelRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface ScriptedServer<Step> {
  readonly port: number;
  /** Requests to the model, in the order of their arrival. */
  readonly requests: readonly LoggedRequest[];
  /** All other requests: "GET /v1/models", "upgrade /v1/responses". */
  readonly others: readonly string[];
  /** Requests to the model whose connection is still open without a whole answer. */
  openTurns(): number;
  /** Takes effect with the next request. */
  play(script: Script<Step>): void;
  /** Settles when so many requests to the model have arrived. */
  untilRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

/** The options of a vendor's server. */
export interface ServerOptions {
  /** The reason why the vendor would refuse a body; absent if it accepts any. */
  readonly refusalOf?: (body: unknown) => string | null;
}

/** The differences between the vendors' interfaces. */
export interface Dialect<Step> {
  /** The path of a request to the model. */
  readonly route: RegExp;
  /** Answers a request to the model without its script. Returns true if it did. */
  refuse?(request: IncomingMessage, response: ServerResponse): boolean;
  /** The last message of a user (or a tool). */
  lastInputOf(body: unknown): string;
  /**
   * Returns the reason why the vendor would refuse this body: then the response is 400 with this reason, and the
   * script is not used.
   */
  readonly refusalOf?: ((body: unknown) => string | null) | undefined;
  answerRefusal?(message: string, response: ServerResponse): void;
  answer(step: Step, request: LoggedRequest, response: ServerResponse): Promise<void>;
  answerOther(request: IncomingMessage, text: string, response: ServerResponse): void;
  /** Called before the server listens; adds to `others`. */
  prepare?(server: Server, others: string[]): void;
}

export async function startScriptedServer<Step>(
  first: Script<Step>,
  dialect: Dialect<Step>,
): Promise<ScriptedServer<Step>> {
  let script = first;
  const requests: LoggedRequest[] = [];
  const others: string[] = [];
  const arrivals = createArrivals();
  let open = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readRequestText(request);
    if (request.method !== 'POST' || !dialect.route.test(request.url ?? '')) {
      others.push(`${request.method} ${request.url}`);
      dialect.answerOther(request, text, response);
      return;
    }
    if (dialect.refuse?.(request, response) === true) return;
    const body = parseBody(text);
    const index = requests.length;
    const { url = '', headers } = request;
    const logged = { index, url, text, body, lastInput: dialect.lastInputOf(body), headers };
    requests.push(logged);
    open += 1;
    response.once('close', () => (open -= 1));
    arrivals.look(requests.length);
    const refusal = dialect.refusalOf?.(body) ?? null;
    if (refusal !== null) return dialect.answerRefusal?.(refusal, response);
    await dialect.answer(closed(script(logged), text), logged, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  dialect.prepare?.(server, others);
  return {
    port: await listen(server),
    requests,
    others,
    openTurns: () => open,
    play: (next) => void (script = next),
    untilRequests: (count) => arrivals.until(count),
    close: () => closeServer(server),
  };
}

/** A review from a model that has read the prompt: with the closing line, unless the step is `unclosed`. */
function closed<Step>(step: Step, body: string): Step {
  const said = fieldOf(step, 'text');
  const isReview = typeof said === 'string' && said.includes('[RESPONSE:REVIEW]');
  const line = [...body.matchAll(/`(END [0-9a-f]{16})`/g)].at(-1)?.[1];
  if (!isReview || line === undefined || fieldOf(step, 'unclosed') === true) return step;
  return { ...step, text: `${said.trimEnd()}\n\n${line}\n` };
}

/** The text of a request's body. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
