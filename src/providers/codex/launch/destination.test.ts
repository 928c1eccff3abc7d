import { expect, test } from 'vitest';
import { destinationOf } from './destination.ts';
import { noSettings } from './read-user-settings.ts';
import type { UserSettings } from './user-settings.ts';

const provider: NonNullable<UserSettings['provider']> = {
  base_url: 'http://127.0.0.1:11434/v1',
  env_key: null,
  experimental_bearer_token: null,
  http_headers: null,
  env_http_headers: null,
  requires_openai_auth: null,
};

test.each([
  [noSettings, 'ChatGPT login', 'chatgpt.com'],
  [noSettings, 'API key', 'api.openai.com'],
  [{ ...noSettings, openaiBaseUrl: 'https://proxy.example/v1' }, 'API key', 'proxy.example'],
  [{ ...noSettings, chatgptBaseUrl: 'https://chat.example/' }, 'ChatGPT login', 'chat.example'],
  [{ ...noSettings, chatgptBaseUrl: 'https://chat.example/' }, 'API key', 'api.openai.com'],
  [{ ...noSettings, providerId: 'mine', provider }, null, '127.0.0.1:11434'],
  [{ ...noSettings, providerId: 'ollama' }, null, null],
])('%o under %s goes to %s', (settings, label, destination) => {
  expect(destinationOf(settings, { label, secrets: {} })).toBe(destination);
});
