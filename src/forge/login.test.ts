import { expect, test } from 'vitest';
import type { ForgeKind } from './contract.ts';
import { findForgeLogin } from './login.ts';

/** Without a PATH, no tool is found. */
function sourceAt(server: string, env: Readonly<Record<string, string>>, forge: ForgeKind = 'github') {
  const signal = new AbortController().signal;
  const at = { forge, server, repository: 'shop/till' };
  return findForgeLogin(at, { env: { PATH: '', ...env }, repositoryRoot: null, signal }).then(
    (login) => login?.source ?? null,
  );
}

const tokens = { GITHUB_TOKEN: 'a', GITLAB_TOKEN: 'b', GH_ENTERPRISE_TOKEN: 'c' };

test.each<[string, string, ForgeKind, Readonly<Record<string, string>>, string | null]>([
  ['github.com', 'https://github.com', 'github', {}, 'GITHUB_TOKEN'],
  ['a host that only a remote names', 'https://evil.example', 'github', {}, null],
  ['a GitLab that only a remote names', 'https://evil.example', 'gitlab', {}, null],
  [
    'the server of the job',
    'https://git.corp',
    'github',
    { GITHUB_SERVER_URL: 'https://git.corp' },
    'GITHUB_TOKEN',
  ],
  [
    'another server than that of the job',
    'https://evil.example',
    'github',
    { GITHUB_SERVER_URL: 'https://git.corp' },
    null,
  ],
  [
    'github.com, in a job of another server',
    'https://github.com',
    'github',
    { GITHUB_SERVER_URL: 'https://git.corp' },
    null,
  ],
  ['the host of the user', 'https://git.corp', 'github', { GH_HOST: 'git.corp' }, 'GH_ENTERPRISE_TOKEN'],
  ['a port that differs', 'https://git.corp:8443', 'github', { GH_HOST: 'git.corp' }, null],
  ['gitlab.com', 'https://gitlab.com', 'gitlab', {}, 'GITLAB_TOKEN'],
  [
    'gitlab.com, with a GitLab of the user’s own',
    'https://gitlab.com',
    'gitlab',
    { GITLAB_HOST: 'git.corp' },
    null,
  ],
  ['a GitLab of the user’s own', 'https://git.corp', 'gitlab', { GITLAB_HOST: 'git.corp' }, 'GITLAB_TOKEN'],
])('%s gets only a token that is for it', async (_title, server, forge, env, source) => {
  expect(await sourceAt(server, { ...tokens, ...env }, forge)).toBe(source);
});

test('gh’s own variable is first, and an empty one is none', async () => {
  expect(await sourceAt('https://github.com', { ...tokens, GH_TOKEN: 'x' })).toBe('GH_TOKEN');
  expect(await sourceAt('https://github.com', { ...tokens, GH_TOKEN: '' })).toBe('GITHUB_TOKEN');
});

test('a token with a line break is refused without its value', async () => {
  const refused = sourceAt('https://github.com', { GITHUB_TOKEN: 'half\r\nx-evil: 1' });
  await expect(refused).rejects.toMatchObject({
    code: 'auth',
    message: 'the token of GITHUB_TOKEN has characters that no token has',
  });
});
