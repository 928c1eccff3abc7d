import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noSettings } from './read-user-settings.ts';
import { rememberSettings, type RememberOptions } from './remembered-settings.ts';
import type { UserSettings } from './user-settings.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'collab-remember-'));
  for (const folder of ['home', 'system', 'state']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'codex'), 'program');
  writeFileSync(join(root, 'home/config.toml'), 'model = "one"');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const provider = {
  name: 'own',
  base_url: 'https://models.example/v1',
  env_key: 'OWN_KEY',
  experimental_bearer_token: null,
  http_headers: null,
  env_http_headers: null,
  requires_openai_auth: false,
  query_params: null,
};
const settings: UserSettings = { ...noSettings, model: 'one', providerId: 'own', provider };

function memory(changes: Partial<RememberOptions> = {}) {
  return rememberSettings({
    stateFolder: join(root, 'state/run-1'),
    program: join(root, 'codex'),
    codexHome: join(root, 'home'),
    platform: { os: 'linux', arch: 'x64' },
    systemFolder: join(root, 'system'),
    ...changes,
  });
}

const kept = () => readdirSync(join(root, 'state'));

test('reported settings are stored for the next run, and private to the user', () => {
  expect(memory().recall()).toBeNull();
  memory().keep(settings);
  expect(memory({ stateFolder: join(root, 'state/run-2') }).recall()).toEqual(settings);
  expect(kept()).toHaveLength(1);
  expect(statSync(join(root, 'state', kept()[0] ?? '')).mode & 0o777).toBe(0o600);
});

test.each([
  ['the settings of the user', 'home/config.toml'],
  ['the settings of the system', 'system/config.toml'],
  ['managed settings', 'system/managed_config.toml'],
  ['managed rules', 'system/requirements.toml'],
  ['the program', 'codex'],
])('after a change of %s it is asked for again', (_what, file) => {
  memory().keep(settings);
  writeFileSync(join(root, file), 'model = "another"');
  expect(memory().recall()).toBeNull();
});

test('settings that change during the request are not stored as the new ones', () => {
  const before = memory();
  writeFileSync(join(root, 'home/config.toml'), 'model = "another"');
  before.keep(settings);
  expect(memory().recall()).toBeNull();
});

test('they are valid for half an hour', () => {
  memory().keep(settings);
  expect(memory({ nowMs: Date.now() + 29 * 60_000 }).recall()).toEqual(settings);
  expect(memory({ nowMs: Date.now() + 31 * 60_000 }).recall()).toBeNull();
});

test('a file with other content is ignored and the settings are requested again', () => {
  memory().keep(settings);
  const file = join(root, 'state', kept()[0] ?? '');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3));
  expect(memory().recall()).toBeNull();
});

test.each([
  ['a token', { experimental_bearer_token: 'sk-token' }],
  ['the value of a header', { http_headers: { 'x-key': 'sk-header' } }],
  ['a password in the address', { base_url: 'https://user:word@models.example/v1' }],
  ['a key in the query', { query_params: { key: 'sk-query' } }],
  ['something that we do not know', { auth: { command: 'print-key' } }],
])('settings with %s are not kept', (_what, entry) => {
  memory().keep({ ...settings, provider: { ...provider, ...entry } });
  memory().keep({ ...settings, openaiBaseUrl: 'https://models.example/v1?key=1' });
  expect(kept()).toEqual([]);
});

test('nothing is stored on a system whose managed settings are not files', () => {
  const elsewhere = memory({ platform: { os: 'darwin', arch: 'arm64' } });
  elsewhere.keep(settings);
  expect([elsewhere.recall(), kept()]).toEqual([null, []]);
});

test('if nothing can be written, the next run asks again', () => {
  const nowhere = memory({ stateFolder: join(root, 'codex/state/run-1') });
  nowhere.keep(settings);
  expect(nowhere.recall()).toBeNull();
});
