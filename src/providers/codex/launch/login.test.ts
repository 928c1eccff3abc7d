import { expect, test } from 'vitest';
import { findLogin, type CodexLoginOptions } from './login.ts';
import { noSettings } from './read-user-settings.ts';
import type { UserSettings } from './user-settings.ts';

const provider: NonNullable<UserSettings['provider']> = {
  base_url: null,
  env_key: null,
  experimental_bearer_token: null,
  http_headers: null,
  env_http_headers: null,
  requires_openai_auth: null,
};

function options(
  settings: Partial<UserSettings>,
  userEnv: CodexLoginOptions['userEnv'],
  program = 'no-such-codex',
): CodexLoginOptions {
  return {
    settings: { ...noSettings, ...settings },
    userEnv,
    program,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: import.meta.dirname,
    linked: program !== 'no-such-codex',
    signal: new AbortController().signal,
  };
}

test.each([
  [
    'a key for the built-in provider',
    {},
    { CODEX_API_KEY: 'sk' },
    { label: 'API key', secrets: { CODEX_API_KEY: 'sk' } },
  ],
  [
    "a provider's own key, and the variables of its headers",
    {
      providerId: 'mine',
      provider: { ...provider, env_key: 'MINE', env_http_headers: { a: 'TEAM', b: 'GONE' } },
    },
    { MINE: 'sk', TEAM: 'blue', CODEX_API_KEY: 'other' },
    { label: 'key in MINE', secrets: { MINE: 'sk', TEAM: 'blue' } },
  ],
  ['a provider without a login', { providerId: 'ollama', provider }, {}, { label: null, secrets: {} }],
  ['a provider that Codex knows itself', { providerId: 'ollama' }, {}, { label: null, secrets: {} }],
  [
    "a provider's token",
    { providerId: 'mine', provider: { ...provider, experimental_bearer_token: 'x' } },
    {},
    { label: 'token', secrets: {} },
  ],
  [
    'a provider that takes the OpenAI login',
    { providerId: 'mine', provider: { ...provider, requires_openai_auth: true } },
    { CODEX_API_KEY: 'sk' },
    { label: 'API key', secrets: { CODEX_API_KEY: 'sk' } },
  ],
])('%s is a login', async (_name, settings, userEnv, login) => {
  expect(await findLogin(options(settings, userEnv))).toEqual(login);
});

test.each([
  ['nobody', {}, {}, /not logged in/],
  ['an empty key', {}, { CODEX_API_KEY: '' }, /not logged in/],
  ['a key that only others read', {}, { OPENAI_API_KEY: 'sk' }, /not logged in/],
  ['a keyring', { loginStore: 'keyring' }, {}, /keyring/],
  [
    'a missing key of a provider',
    { providerId: 'mine', provider: { ...provider, env_key: 'MINE' } },
    { MINE: '' },
    /needs a key in MINE/,
  ],
])('%s is none', async (_name, settings, userEnv, message) => {
  const found = findLogin(options(settings, userEnv));
  await expect(found).rejects.toMatchObject({ code: 'auth', message: expect.stringMatching(message) });
});

test('a linked login file counts only if Codex confirms it', async () => {
  // A program that ends with an error for any arguments, as `codex login status` does.
  await expect(findLogin(options({}, {}, process.execPath))).rejects.toMatchObject({ code: 'auth' });
});
