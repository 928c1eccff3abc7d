/** The errors of specification 003 under its own names, with its texts word for word (R003-10, R003-45). */
import { agentErrorCodes, CollabError, type CollabErrorOptions, type ErrorCode } from './collab-error.ts';

export const providerErrorCodes = [...agentErrorCodes, 'internal'] as const satisfies readonly ErrorCode[];
export type ProviderErrorCode = (typeof providerErrorCodes)[number];

/** A parameter, key or setting is invalid: the same call fails again. */
export class ValueError extends CollabError {
  override readonly name: string = 'ValueError';

  constructor(
    message: string,
    { code = 'options', ...options }: CollabErrorOptions & { readonly code?: ProviderErrorCode } = {},
  ) {
    super(code, message, options);
  }
}

export interface ProviderErrorOptions extends CollabErrorOptions {
  readonly code?: ProviderErrorCode;
  /** The HTTP status. */
  readonly status?: number;
  /** Seconds to wait, as requested by the provider. */
  readonly retryAfter?: number;
  /** Default: the result of `isTransient` for the code. */
  readonly retryable?: boolean;
}

/** A failed call; its fields say whether and when another attempt makes sense (R003-46). */
export class ProviderError extends CollabError {
  override readonly name: string = 'ProviderError';
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly retryable: boolean;

  constructor(message: string, { code = 'protocol', ...options }: ProviderErrorOptions = {}) {
    super(code, message, options);
    this.status = options.status ?? null;
    this.retryAfter = options.retryAfter ?? null;
    this.retryable = options.retryable ?? isTransient(code);
  }
}

/** The API was called and failed. */
export class APIError extends ProviderError {
  override readonly name = 'APIError';
}

export function isTransient(code: ProviderErrorCode): boolean {
  return code === 'rate_limit' || code === 'overloaded' || code === 'network' || code === 'timeout';
}

/** Maps the HTTP status of an API to an error code (requirements B.6). */
export function codeOfStatus(status: number): ProviderErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model';
  if (status === 408) return 'timeout';
  if (status === 413) return 'context_limit';
  if (status === 429) return 'rate_limit';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'options' : 'protocol';
}

/** Returns the user-facing text for a failed call. `message` is the provider's own. */
export function providerErrorText(
  code: ProviderErrorCode,
  message: string,
  retryAfter: number | null = null,
): string {
  // Authors are asked to write these texts themselves.
  if (factsInErrorText(message) !== null) return message;
  switch (code) {
    case 'auth':
      return 'APIキーが無効です。環境変数を確認してください。';
    case 'rate_limit':
      return retryAfter === null
        ? 'レート制限に達しました。しばらくしてから再試行してください。'
        : `レート制限に達しました。${retryAfter}秒後に再試行してください。`;
    case 'internal':
      return `予期しないエラー: ${message}`;
    case 'cli_missing':
    case 'model':
    case 'options':
    case 'overloaded':
    case 'network':
    case 'timeout':
    case 'context_limit':
    case 'protocol':
      return `API呼び出しエラー: ${message}`;
  }
}

export interface WrittenFacts {
  readonly code: ProviderErrorCode;
  readonly status?: number;
  /** Seconds to wait. */
  readonly retryAfter?: number;
}

/** Reads one of these texts, which may be all that a client says about a failure (R003-46); null for any other text. */
export function factsInErrorText(text: string): WrittenFacts | null {
  if (/^(?:APIキーが無効です。|[A-Z0-9_]+ が設定されていません。)/.test(text)) return { code: 'auth' };
  const limit = /^レート制限に達しました。(?:(\d+(?:\.\d+)?)秒後)?/.exec(text);
  if (limit !== null) {
    return { code: 'rate_limit', ...(limit[1] === undefined ? {} : { retryAfter: Number(limit[1]) }) };
  }
  if (text.startsWith('API呼び出しエラー: ')) {
    const [, status] = /(?:: |\b(?:answered|code|error|http|status)\W{1,3})([45]\d\d)\b/i.exec(text) ?? [];
    // An error of an SDK that has no status is one of the connection.
    return status === undefined
      ? { code: 'network' }
      : { code: codeOfStatus(Number(status)), status: Number(status) };
  }
  return text.startsWith('予期しないエラー: ') ? { code: 'internal' } : null;
}

/** Returns the text for a missing key. `variable` is the name of its environment variable. */
export function missingKeyText(variable: string): string {
  return `${variable} が設定されていません。環境変数を設定してください。`;
}
