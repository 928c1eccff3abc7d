import { CollabError, type CollabErrorOptions, type ErrorCode } from '../errors/collab-error.ts';

export interface ForgeErrorOptions extends CollabErrorOptions {
  /** The HTTP status; null if no answer came. */
  readonly status: number | null;
  /** True if the host may have done what was asked. */
  readonly isUncertain?: boolean;
  /** Default: null. */
  readonly askedMs?: number | null;
}

/** A request that a host of pull requests refused or did not answer. */
export class ForgeError extends CollabError {
  override readonly name: string = 'ForgeError';
  readonly status: number | null;
  readonly isUncertain: boolean;
  /** The time that the host asks to wait before the next attempt; null if it asks for none. */
  readonly askedMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    { status, isUncertain = false, askedMs = null, ...options }: ForgeErrorOptions,
  ) {
    super(code, message, options);
    this.status = status;
    this.isUncertain = isUncertain;
    this.askedMs = askedMs;
  }
}

/** Returns null for what the host does not have, or does not show to this login. */
export async function nullIfMissing<Value>(sent: Promise<Value>): Promise<Value | null> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ForgeError && error.status === 404) return null;
    throw error;
  }
}
