import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { defaultSettings } from '../../config/settings-table.ts';
import { thisPlatform } from '../../system/platform.ts';
import { sessionIn } from '../command.test-helper.ts';
import { checkCommands, checkGit, checkNode, checkProjectConfig, checkState } from './doctor-checks.ts';
import { checkLive } from './doctor-live.ts';

/** A command in a folder of its own, which is its home, too. */
function command(env: Readonly<Record<string, string>> = {}) {
  const root = scratchFolder();
  const { session } = sessionIn({ root, env: { HOME: root, XDG_STATE_HOME: join(root, 'state'), ...env } });
  return { root, session };
}

test.each([
  ['v20.19.0', 'ok'],
  ['v22.0.0', 'ok'],
  ['v20.18.9', 'fails'],
  ['v18.20.0', 'fails'],
])('Node %s: %s', (version, state) => {
  const hint = state === 'ok' ? null : 'collab needs Node 20.19 or newer';
  expect(checkNode(version)).toEqual({ name: 'node', state, text: version, hint });
});

test('git is shown with its version; without it, less can be reviewed', async () => {
  const { root, session } = command({ PATH: '/usr/local/bin:/usr/bin:/bin' });
  expect(await checkGit(session)).toEqual({
    name: 'git',
    state: 'ok',
    text: expect.stringMatching(/^git version [\d.]+$/),
    hint: null,
  });
  expect(await checkGit({ ...session, env: { PATH: root } })).toEqual({
    name: 'git',
    state: 'differs',
    text: 'not found: collab can review only diff files and standard input',
    hint: 'install git, for example: apt-get install git',
  });
});

test('the configuration of the project is named, or the one that a flag names', async () => {
  const { root, session } = command();
  const check = { name: 'config', state: 'ok', hint: null };
  expect(await checkProjectConfig(session, undefined)).toEqual({
    check: { ...check, text: 'no collab.config.yaml; the defaults apply' },
    settings: defaultSettings,
  });
  for (const [name, path] of [
    ['collab.config.yaml', undefined],
    ['other.yaml', 'other.yaml'],
  ] as const) {
    writeFileSync(join(root, name), `focus: ${name}\n`);
    const found = await checkProjectConfig(session, path);
    expect([found.check, found.settings.focus]).toEqual([{ ...check, text: join(root, name) }, name]);
  }
});

test('a configuration that cannot be read fails with its hint, and the defaults apply', async () => {
  const { root, session } = command();
  writeFileSync(join(root, 'collab.config.yaml'), 'colour: red\n');
  const { check, settings } = await checkProjectConfig(session, undefined);
  expect([check, settings]).toEqual([
    {
      name: 'config',
      state: 'fails',
      text: expect.stringContaining('colour'),
      hint: expect.stringMatching(/\S/),
    },
    defaultSettings,
  ]);
});

test('a key in a configuration that cannot be read is masked, as in any other error', async () => {
  const key = `ghp_${'aB3d'.repeat(9)}`;
  const { check } = await checkProjectConfig(command().session, `${key}.yaml`);
  expect(check.state).toBe('fails');
  expect(check.text).not.toContain(key);
});

test('the state folder is named without the probe, which is removed', () => {
  const { root, session } = command();
  expect(checkState(session)).toEqual({
    name: 'state',
    state: 'ok',
    text: join(root, 'state/collab'),
    hint: null,
  });
  expect(
    readdirSync(join(root, 'state/collab'), { recursive: true }).filter((name) =>
      String(name).includes('doctor'),
    ),
  ).toEqual([]);
});

test('without a private folder the state fails, with what to do', () => {
  const { session } = command({ HOME: '/proc', XDG_STATE_HOME: '/proc' });
  vi.stubEnv('TMPDIR', '/proc');
  expect(checkState(session)).toEqual({
    name: 'state',
    state: 'fails',
    text: expect.stringMatching(/^No private folder outside every git repository: \/proc\/collab, /),
    hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
  });
});

test('commands run in a namespace, or cannot be confined for a reason', async () => {
  const programs = { setpriv: '/usr/bin/setpriv', unshare: '/usr/bin/unshare', mount: '/usr/bin/mount' };
  const held = { kind: 'namespaces', form: 'root', programs, ids: { user: 0, group: 0 } } as const;
  expect(await checkCommands(Promise.resolve(held))).toEqual({
    name: 'commands',
    state: 'ok',
    text: 'run in their own process namespace',
    hint: null,
  });
  const marked = { kind: 'marked', reason: 'no \u001bunshare' } as const;
  expect(await checkCommands(Promise.resolve(marked))).toEqual({
    name: 'commands',
    state: 'differs',
    text: 'cannot be confined (no ␛unshare): leads and guests get no Bash, and yours asks first',
    hint:
      thisPlatform.os === 'linux'
        ? 'Install util-linux and allow namespaces here, such as: sysctl user.max_user_namespaces=15000'
        : null,
  });
});

test('a real exchange without an agent fails with its reason and its hint', async () => {
  const { session } = command({ PATH: '/nowhere' });
  const temporary = scratchFolder();
  vi.stubEnv('TMPDIR', temporary);
  expect(await checkLive(session, defaultSettings)).toEqual({
    name: 'live',
    state: 'fails',
    text: 'agent_missing: the advisor is not installed or is too old (chunk-1); Codex is not installed: there is no `codex` on PATH; npm install --global @openai/codex',
    hint: null,
  });
  const stopped = { ...session, signal: AbortSignal.abort() };
  expect(await checkLive(stopped, defaultSettings)).toMatchObject({ name: 'live', state: 'fails' });
  expect(readdirSync(temporary).filter((name) => name.startsWith('collab-live-'))).toEqual([]);
});
