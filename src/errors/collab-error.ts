/**
 * Every code for a deliberate refusal or failure of `collab`. Anything else that is thrown is a bug.
 *
 * The first group means "nothing was started" (exit 2), the second "a run or agent failed" (exit 4).
 */
export const errorCodes = [
  'usage',
  'forbidden',
  'config',
  'input',
  'empty_input',
  'range',
  'run_not_found',
  'result_file',
  'locked',
  'journal_corrupt',
  'journal_version',
  'replay_mismatch',
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
  'not_built',
  'state_folder',
  'file',
  'cancelled',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface CollabErrorOptions {
  /** The next thing to do, as one sentence or a command to paste. */
  readonly hint?: string;
  /** JSON-safe facts: values, paths, positions. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
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
