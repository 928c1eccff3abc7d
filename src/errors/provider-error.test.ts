import { expect, test } from 'vitest';
import { CollabError } from './collab-error.ts';
import { APIError, missingKeyText, ProviderError, providerErrorText, ValueError } from './provider-error.ts';

test('R003-45 the texts are those of the specification', () => {
  expect([
    providerErrorText('auth', 'no'),
    providerErrorText('rate_limit', 'no', 30),
    providerErrorText('overloaded', 'the model is busy'),
    providerErrorText('internal', 'x is undefined'),
  ]).toEqual([
    'APIキーが無効です。環境変数を確認してください。',
    'レート制限に達しました。30秒後に再試行してください。',
    'API呼び出しエラー: the model is busy',
    '予期しないエラー: x is undefined',
  ]);
});

test('R003-10.2 the text for a key that is not set names the variable', () => {
  expect(missingKeyText('AZURE_OPENAI_API_KEY')).toBe(
    'AZURE_OPENAI_API_KEY が設定されていません。環境変数を設定してください。',
  );
});

test('a limit without a known end names no seconds', () => {
  expect(providerErrorText('rate_limit', 'no')).toBe(
    'レート制限に達しました。しばらくしてから再試行してください。',
  );
});

test('R003-46 a failed call says whether another try makes sense', () => {
  const limited = new APIError('slow down', { code: 'rate_limit', status: 429, retryAfter: 7 });
  expect(limited).toMatchObject({ name: 'APIError', status: 429, retryAfter: 7, retryable: true });
  expect(limited).toBeInstanceOf(ProviderError);
  expect(new APIError('no such model', { code: 'model', status: 404 }).retryable).toBe(false);
  expect(new ProviderError('broken')).toMatchObject({ code: 'protocol', status: null, retryable: false });
});

test('a bad value is an error of ours with its own code', () => {
  const error = new ValueError('temperature 3 is above 2');
  expect(error).toBeInstanceOf(CollabError);
  expect(error).toMatchObject({ name: 'ValueError', code: 'options' });
});
