/** Refusals as `application/problem+json` (RFC 9457), each with a hint if there is one. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import { isDatabaseFault } from '../../errors/database-fault.ts';
import { hasCode } from '../../errors/has-code.ts';

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  hint: z.string().optional(),
});

export interface Problem {
  readonly status: ProblemStatus;
  /** The fault of this request, in one sentence. */
  readonly detail: string;
  /** The hint: how to fix it. */
  readonly hint?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function problemResponse({ status, detail, hint = null, headers = {} }: Problem): Response {
  const body = {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    ...(hint === null ? {} : { hint }),
  };
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}

/** Thrown by any code that reads a request; the application's `onError` turns it into the answer. */
export class Refusal extends HTTPException {
  constructor(problem: Problem) {
    super(problem.status, { message: problem.detail, res: problemResponse(problem) });
  }
}

export function notThere(detail: string): Refusal {
  return new Refusal({ status: 404, detail });
}

export function conflict(detail: string, more: Pick<Problem, 'hint'> = {}): Refusal {
  return new Refusal({ status: 409, detail, ...more });
}

/**
 * Turns an error of a route into a response. If the request is not at fault, the text and its paths are hidden from the client
 * and passed to `report`.
 */
export function problemOfError(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof HTTPException) return error.getResponse();
  if (isCutOff(error)) return problemResponse({ status: 400, detail: 'The body was cut off' });
  if (isDatabaseFault(error)) {
    report(error);
    return problemResponse({ status: 503, detail: databaseMessage });
  }
  if (error instanceof CollabError) {
    const status = statuses[error.code];
    if (status !== 500)
      return problemResponse({ status, detail: error.message, hint: error.hint, headers: retryAfter(error) });
  }
  report(error);
  return problemResponse({ status: 500, detail: faultMessage });
}

function retryAfter({ details: { retry_after_seconds: seconds } }: CollabError): Problem['headers'] & object {
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}

/** Node's error for a client that closes the connection before the end of its request. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && hasCode(error, 'ECONNRESET');
}

/** The only text that a client gets for a bug. */
export const faultMessage = 'The server failed on this request; its log says why.';

/** The only text that a client gets for a fault of the database: the driver's names its address and its user. */
export const databaseMessage = 'The database is out of reach';

export function noRoute(context: Context): Response {
  return problemResponse({
    status: 404,
    detail: `There is nothing at ${context.req.path}`,
    hint: 'see the routes: GET /openapi.json',
  });
}

const titles: Readonly<Record<ProblemStatus, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** The status of each error code. An agent that cannot run on the server's machine is not the request's fault. */
const statuses: Readonly<Record<ErrorCode, ProblemStatus>> = {
  run_not_found: 404,
  locked: 409,
  context_limit: 409,
  forbidden: 403,
  usage: 422,
  config: 422,
  input: 422,
  empty_input: 422,
  range: 422,
  options: 422,
  model: 422,
  auth: 503,
  cli_missing: 503,
  cancelled: 503,
  queue_full: 429,
  rate_limit: 502,
  overloaded: 502,
  network: 502,
  timeout: 502,
  protocol: 502,
  result_file: 500,
  journal_corrupt: 500,
  journal_version: 500,
  replay_mismatch: 500,
  not_built: 500,
  state_folder: 500,
  file: 500,
  internal: 500,
};
