import { expect, test } from 'vitest';
import { buildLaunchProfile, type LaunchOptions } from './launch-profile.ts';
import { noSettings, settingsOf } from './read-user-settings.ts';

const options: LaunchOptions = {
  folders: { empty: '/run/empty', home: '/run/home', codex: '/run/codex', bin: '/run/bin' },
  settings: noSettings,
  model: null,
  reviewFolder: '/run/review',
  readable: '/opt/codex/vendor',
  env: {
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    SSL_CERT_FILE: '/etc/ca.pem',
    HTTP_PROXY: '',
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-2',
    BASH_ENV: '/evil',
    GIT_DIR: '/evil',
    LD_PRELOAD: '/evil',
    NODE_OPTIONS: '--require /evil',
    CODEX_HOME: '/home/u/.codex',
    CODEX_SANDBOX: 'off',
  },
  path: ['/usr/local/bin', '/usr/bin'],
  secrets: { CODEX_API_KEY: 'sk-3' },
  platform: { os: 'linux', arch: 'x64' },
};

function disabledBy(args: readonly string[]): readonly string[] {
  return args.filter((_, index) => args[index - 1] === '--disable');
}

/** The values of the `-c` flags, by key. */
function flagsOf(args: readonly string[]): Readonly<Record<string, string>> {
  const values = args.flatMap((arg, index) => (args[index - 1] === '-c' ? [arg] : []));
  return Object.fromEntries(
    values.map((value) => [value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)]),
  );
}

test("the environment contains what the list allows, and the folders are the run's", () => {
  const { env, cwd } = buildLaunchProfile(options);
  expect(cwd).toBe('/run/empty');
  expect(env).toEqual({
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    SSL_CERT_FILE: '/etc/ca.pem',
    PATH: '/usr/local/bin:/usr/bin',
    HOME: '/run/home',
    CODEX_HOME: '/run/codex',
    GIT_DIR: '/nonexistent',
    LANG: 'C.UTF-8',
    CODEX_API_KEY: 'sk-3',
  });
  expect(buildLaunchProfile({ ...options, path: [] }).env['PATH']).toBe('/usr/bin:/bin');
});

test("all of the user's and the repository's set-up is turned off, and reads are confined", () => {
  const { args } = buildLaunchProfile(options);
  expect(disabledBy(args)).toEqual([
    'plugins',
    'apps',
    'hooks',
    'shell_snapshot',
    'goals',
    'multi_agent',
    'unbounded_connection_retries',
  ]);
  expect(flagsOf(args)).toEqual({
    project_doc_max_bytes: '0',
    'skills.include_instructions': 'false',
    'skills.bundled.enabled': 'false',
    web_search: '"disabled"',
    notify: '[]',
    developer_instructions: expect.stringContaining('/run/review'),
    allow_login_shell: 'false',
    'shell_environment_policy.inherit': '"none"',
    'shell_environment_policy.set':
      '{"PATH"="/usr/bin:/bin","HOME"="/nonexistent","LANG"="C.UTF-8","GIT_DIR"="/nonexistent"}',
    default_permissions: '"collab"',
    'permissions.collab.filesystem':
      '{":minimal"="read","/opt/codex/vendor"="read","/run/review"="read","/run/review/.git"="deny","/run/review/**/.env"="deny","/run/review/**/.env.*"="deny",":workspace_roots"={"."="read"}}',
    'permissions.collab.network': '{"enabled"=false}',
  });
  expect(args.some((arg) => arg === '-s' || arg.startsWith('sandbox'))).toBe(false);
});

test('without a review folder nothing of a repository can be read, and the agent is told', () => {
  const flags = flagsOf(buildLaunchProfile({ ...options, reviewFolder: null }).args);
  expect(flags['permissions.collab.filesystem']).toBe(
    '{":minimal"="read","/opt/codex/vendor"="read",":workspace_roots"={"."="read"}}',
  );
  expect(flags['developer_instructions']).toContain('no access to the repository');
});

test('without a review folder there is no tool for commands and no folder to run them in', () => {
  const alone = buildLaunchProfile({ ...options, reviewFolder: null });
  expect(disabledBy(alone.args)).toContain('shell_tool');
  expect(alone.env['CODEX_EXEC_SERVER_URL']).toBe('none');
  const { args, env } = buildLaunchProfile(options);
  expect(disabledBy(args)).not.toContain('shell_tool');
  expect(env).not.toHaveProperty('CODEX_EXEC_SERVER_URL');
});

const provider = {
  name: 'mine',
  base_url: 'https://models.example/v1',
  env_key: null,
  experimental_bearer_token: 'bearer-secret',
  http_headers: { 'x-key': 'header-secret' },
  env_http_headers: { 'x-team': 'TEAM' },
  requires_openai_auth: false,
  request_max_retries: 4,
};

test("the user's model, effort and provider are passed on, and Codex repeats nothing by itself", () => {
  const settings = settingsOf({
    config: {
      model: 'gpt-5.5',
      model_reasoning_effort: 'high',
      model_provider: 'my.provider',
      model_providers: { 'my.provider': provider, other: provider },
      openai_base_url: 'https://one.example/v1',
      chatgpt_base_url: 'https://two.example/',
    },
    origins: { chatgpt_base_url: {} },
  });
  const { args, env } = buildLaunchProfile({ ...options, settings });
  expect(flagsOf(args)).toMatchObject({
    model: '"gpt-5.5"',
    model_reasoning_effort: '"high"',
    model_provider: '"my.provider"',
    model_providers:
      '{"my.provider"={"name"="mine","base_url"="https://models.example/v1","env_key"="COLLAB_CODEX_TOKEN","env_http_headers"={"x-team"="TEAM","x-key"="COLLAB_CODEX_HEADER_0"},"requires_openai_auth"=false,"request_max_retries"=0,"stream_max_retries"=0,"stream_idle_timeout_ms"=86400000}}',
    openai_base_url: '"https://one.example/v1"',
    chatgpt_base_url: '"https://two.example/"',
  });
  expect(args.join(' ')).not.toContain('secret');
  expect(env).toMatchObject({ COLLAB_CODEX_TOKEN: 'bearer-secret', COLLAB_CODEX_HEADER_0: 'header-secret' });
  expect(flagsOf(buildLaunchProfile({ ...options, settings, model: 'gpt-6' }).args)['model']).toBe('"gpt-6"');
});

test('an address that Codex names by default does not count as the user’s choice', () => {
  const config = { model_provider: 'openai', chatgpt_base_url: 'https://chatgpt.com/backend-api/' };
  expect(settingsOf({ config, origins: {} })).toEqual(noSettings);
});
