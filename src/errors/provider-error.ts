/** The errors of specification 003 under its own names, and its texts word for word (R003-10, R003-45). */
import { CollabError, type CollabErrorOptions, type ErrorCode } from './collab-error.ts';

export type ProviderErrorCode = Extract<
  ErrorCode,
  | 'cli_missing'
  | 'auth'
  | 'model'
  | 'options'
  | 'rate_limit'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'context_limit'
  | 'protocol'
  | 'internal'
>;

/** A parameter, a key or a setting is not what it must be: the same call fails again. */
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
  /** Of HTTP. */
  readonly status?: number;
  /** Seconds that the provider asks to wait. */
  readonly retryAfter?: number;
  /** Default: as `isTransient` says of the code. */
  readonly retryable?: boolean;
}

/** A call failed; its fields say whether and when another try makes sense (R003-46). */
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

/** The API was asked and did not do it. */
export class APIError extends ProviderError {
  override readonly name = 'APIError';
}

export function isTransient(code: ProviderErrorCode): boolean {
  return code === 'rate_limit' || code === 'overloaded' || code === 'network' || code === 'timeout';
}

/** What a failed call is called to its user. `message` is the provider's own. */
export function providerErrorText(
  code: ProviderErrorCode,
  message: string,
  retryAfter: number | null = null,
): string {
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

/** `variable` is the name of the environment variable that holds the key. */
export function missingKeyText(variable: string): string {
  return `${variable} が設定されていません。環境変数を設定してください。`;
}
