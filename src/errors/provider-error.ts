/** The errors of specification 003 under its own names, and its texts word for word (R003-10, R003-45). */
import { CollabError, type CollabErrorOptions, type ErrorCode } from './collab-error.ts';

export const providerErrorCodes = [
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
  'internal',
] as const satisfies readonly ErrorCode[];
export type ProviderErrorCode = (typeof providerErrorCodes)[number];

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

/** What an HTTP status of an API means (requirements B.6). */
export function codeOfStatus(status: number): ProviderErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model';
  if (status === 408) return 'timeout';
  if (status === 413) return 'context_limit';
  if (status === 429) return 'rate_limit';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'options' : 'protocol';
}

/** What a failed call is called to its user. `message` is the provider's own. */
export function providerErrorText(
  code: ProviderErrorCode,
  message: string,
  retryAfter: number | null = null,
): string {
  if (isProviderErrorText(message)) return message;
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

/** Whether a message is one of these texts already, as authors are told to write them. */
function isProviderErrorText(message: string): boolean {
  return /^(?:APIキーが無効です。|レート制限に達しました。|API呼び出しエラー: |予期しないエラー: |[A-Z0-9_]+ が設定されていません。)/.test(
    message,
  );
}

/** `variable` is the name of the environment variable that holds the key. */
export function missingKeyText(variable: string): string {
  return `${variable} が設定されていません。環境変数を設定してください。`;
}
