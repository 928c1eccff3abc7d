/** The request is at fault, and nothing was started (exit 2). */
const refusalCodes = [
  'usage',
  'forbidden',
  'config',
  'input',
  'empty_input',
  'range',
  'run_not_found',
  'result_file',
  'locked',
] as const;

/** The faults of a call of an agent. */
export const agentErrorCodes = [
  'cli_missing',
  'auth',
  'model',
  'options',
  'rate_limit',
  'overloaded',
  'network',
  'timeout',
  'context_limit',
  'protocol',
] as const;

/** A run or an agent failed (exit 4). */
const failureCodes = [
  'journal_corrupt',
  'journal_version',
  'replay_mismatch',
  ...agentErrorCodes,
  'not_built',
  'queue_full',
  'state_folder',
  'file',
  'internal',
] as const;

/** Every code for a deliberate refusal or failure of `collab`. Anything else that is thrown is a bug. */
export const errorCodes = [...refusalCodes, ...failureCodes, 'cancelled'] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface CollabErrorOptions {
  /** The next thing to do, as one sentence or a command to paste. */
  readonly hint?: string;
  /** JSON-safe facts: values, paths, positions. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export function isRefusal(code: ErrorCode): boolean {
  return refusalCodes.some((refusal) => refusal === code);
}

/** A failure with a stable code. `message` says what happened, with the value; `hint` says what to do. */
export class CollabError extends Error {
  override readonly name: string = 'CollabError';
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: CollabErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.details = options.details ?? {};
  }
}
