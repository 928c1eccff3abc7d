import { expect } from 'vitest';
import { describeClients, worldAt, type ClientFixture } from './client-suite.ts';
import { everyProvider } from './every-provider.ts';
import { environmentOf, type ProviderFixture } from './fixture.ts';

/** Clients with a vendor's SDK; `test/agents/clients.test.ts` tests those of the agents' own programs. */
describeClients(everyProvider.map(clientOf));

function clientOf(fixture: ProviderFixture): ClientFixture {
  const { name, Client, usage } = fixture;
  return {
    name,
    Client,
    async start(script) {
      const upstream = await fixture.start(script);
      return worldAt(upstream, environmentOf(name, upstream.url));
    },
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cache_read,
    },
    faults: [
      ['401', { status: 401 }, { code: 'auth', error: 'APIキーが無効です。環境変数を確認してください。' }],
      ['429', { status: 429 }, { code: 'rate_limit', retryable: true }],
      [
        '503',
        { status: 503 },
        { code: 'overloaded', retryable: true, error: expect.stringMatching(/^API呼び出しエラー: /) },
      ],
      ['404', { status: 404, message: 'there is no such model' }, { code: 'model', retryable: false }],
      ['a cut', { text: 'a long answer', cut: true }, { code: 'network', retryable: true }],
    ],
  };
}
