import { expect, test } from 'vitest';
import { buildArguments, type TurnArguments } from './arguments.ts';
import { buildEnvironment } from './environment.ts';

const turn: TurnArguments = {
  instructionsFile: '/state/instructions.md',
  sessionId: 'id',
  begins: true,
  access: 'read',
  hasFolder: true,
  handed: false,
  model: null,
};

function valueOf(args: readonly string[], flag: string): string | undefined {
  return args[args.indexOf(flag) + 1];
}

test('every turn is restricted and without settings, servers and commands', () => {
  for (const args of [buildArguments(turn), buildArguments({ ...turn, access: 'edit', hasFolder: false })]) {
    expect(args).toEqual(
      expect.arrayContaining(['--restricted', '--strict-mcp-config', '--disable-slash-commands']),
    );
    expect(valueOf(args, '--setting-sources')).toBe('');
    expect(args.join(' ')).not.toMatch(/Bash|bypass|dangerously|add-dir|max-turns/);
  }
});

test.each([
  ['read', true, 'Read,Grep,Glob', 'dontAsk'],
  ['edit', true, 'Read,Grep,Glob,Edit,Write', 'acceptEdits'],
  ['read', false, '', 'dontAsk'],
  ['edit', false, '', 'dontAsk'],
] as const)('access to %s, folder: %s', (access, hasFolder, tools, mode) => {
  const args = buildArguments({ ...turn, access, hasFolder });
  expect([valueOf(args, '--tools'), valueOf(args, '--permission-mode')]).toEqual([tools, mode]);
});

test('hidden files can be neither read nor written', () => {
  const args = buildArguments({ ...turn, access: 'edit' });
  for (const path of ['**/.git', '**/.git/**', '**/.env', '**/.env.*'])
    expect(args).toEqual(expect.arrayContaining([`Read(${path})`, `Edit(${path})`]));
});

test('a session is started under our id and resumed by it', () => {
  expect(buildArguments(turn).slice(-2)).toEqual(['--session-id', 'id']);
  expect(buildArguments({ ...turn, begins: false }).slice(-2)).toEqual(['--resume', 'id']);
});

test('the environment contains what the list allows, whatever the caller has', () => {
  const env = {
    HOME: '/home/user',
    PATH: '/repository/node_modules/.bin:/usr/local/bin',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CONFIG_DIR: '/home/user/claude',
    https_proxy: 'http://proxy',
    ANTHROPIC_BASE_URL: 'http://elsewhere',
    ANTHROPIC_AUTH_TOKEN: 'x',
    ANTHROPIC_CUSTOM_HEADERS: 'x',
    ANTHROPIC_MODEL: 'x',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'x',
    CLAUDE_CODE_MAX_RETRIES: '9',
    NODE_OPTIONS: '--require evil',
    BASH_ENV: 'x',
    LD_PRELOAD: 'x',
    GIT_DIR: 'x',
    GITHUB_TOKEN: 'x',
    EMPTY: '',
  };
  const platform = { os: 'linux', arch: 'x64' } as const;
  const built = buildEnvironment({ env, baseUrl: null, platform });
  expect(built).toMatchObject({
    HOME: '/home/user',
    PATH: '/usr/bin:/bin',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CONFIG_DIR: '/home/user/claude',
    https_proxy: 'http://proxy',
    CLAUDE_CODE_MAX_RETRIES: '0',
  });
  expect(Object.values(built)).not.toEqual(expect.arrayContaining(['x']));
  for (const name of ['ANTHROPIC_BASE_URL', 'CLAUDECODE', 'NODE_OPTIONS', 'GIT_DIR'])
    expect(built).not.toHaveProperty(name);
  expect(buildEnvironment({ env, baseUrl: 'http://mine', platform })).toHaveProperty(
    'ANTHROPIC_BASE_URL',
    'http://mine',
  );
});
