/**
 * Every way `collab` refuses or fails on purpose. Anything else that is thrown is a bug.
 *
 * The first group means "nothing was started" (exit 2), the second "a run or agent failed" (exit 4).
 */
export const errorCodes = [
  'usage',
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
  'cancelled',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface CollabErrorOptions {
  /** What to do about it, as one sentence or a command to paste. */
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
