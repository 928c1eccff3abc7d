/** The facts that are found before a run: the program, the user's settings, the login, the sandbox. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codexProvider, testedVersion } from '../../../src/providers/codex/advisor.ts';
import { doctorCodex } from '../../../src/providers/codex/launch/doctor.ts';
import { probeSandbox } from '../../../src/providers/codex/launch/sandbox-probe.ts';
import { findCodex } from '../../../src/providers/codex/launch/find-codex.ts';
import { startUpstream, type Upstream } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import {
  ask,
  codexBin,
  createWorld,
  withoutNamespaces,
  type World,
  type WorldOptions,
} from './codex-user.ts';

let upstream: Upstream;
const worlds: World[] = [];

beforeAll(async () => {
  upstream = await startUpstream(inOrder({ text: 'ok' }));
});

afterAll(async () => {
  await Promise.all(worlds.map((each) => each.close()));
  await upstream.close();
});

const here = {
  repository: '/nowhere',
  configured: null,
  platform: { os: process.platform, arch: process.arch },
};

function newWorld(options: Partial<WorldOptions> = {}): World {
  const world = createWorld({ url: upstream.url, ...options });
  worlds.push(world);
  return world;
}

function writeConfig(world: World, text: string): void {
  writeFileSync(join(world.codexHome, 'config.toml'), text);
}

test('the native program is used, never the launcher', () => {
  const found = findCodex({ ...here, env: { PATH: codexBin } });
  expect(found?.file).toMatch(/vendor\/.*\/bin\/codex$/);
  expect(execFileSync('head', ['-c', '4', found?.file ?? ''], { encoding: 'latin1' })).toBe('\u{7f}ELF');
});

describe('probe', () => {
  test('reports version, login and model, and leaves nothing behind', async () => {
    const world = newWorld();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('collab-codex-'));
    expect(await codexProvider.probe(world.options())).toEqual({
      ready: true,
      version: testedVersion,
      login: 'key in SCRIPTED_KEY',
      model: 'gpt-5.5',
    });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('collab-codex-'))).toEqual(before);
  });

  test('says that Codex is not installed, and how to install it', async () => {
    const world = newWorld();
    expect(
      await codexProvider.probe(world.options({ env: { ...world.env, PATH: '/usr/bin:/bin' } })),
    ).toEqual({
      ready: false,
      code: 'cli_missing',
      message: 'Codex is not installed: there is no `codex` on PATH.',
      hint: 'npm install --global @openai/codex',
    });
  });

  test('says which key is missing', async () => {
    const world = newWorld();
    const { SCRIPTED_KEY: _key, ...env } = world.env;
    expect(await codexProvider.probe(world.options({ env }))).toEqual({
      ready: false,
      code: 'auth',
      message: `Codex's model provider "scripted" needs a key in SCRIPTED_KEY, which is not set.`,
      hint: 'Set it: export SCRIPTED_KEY=…',
    });
  });

  test('says that there is no login, and what a keyring means', async () => {
    const world = newWorld();
    writeConfig(world, '');
    const nobody = {
      ready: false,
      code: 'auth',
      message: 'Codex is not logged in.',
      hint: 'Run `codex login`, or set CODEX_API_KEY.',
    };
    expect(await codexProvider.probe(world.options())).toEqual(nobody);
    // Codex itself does not read this one.
    const otherKey = { ...world.env, OPENAI_API_KEY: 'sk' };
    expect(await codexProvider.probe(world.options({ env: otherKey }))).toEqual(nobody);
    writeConfig(world, 'cli_auth_credentials_store = "keyring"\n');
    expect(await codexProvider.probe(world.options())).toMatchObject({
      ready: false,
      code: 'auth',
      message: expect.stringContaining('keyring'),
    });
  });

  test('accepts a login file and a key in the environment', async () => {
    const world = newWorld();
    writeConfig(world, '');
    const withKey = { env: { ...world.env, CODEX_API_KEY: 'sk' } };
    expect(await codexProvider.probe(world.options(withKey))).toMatchObject({
      ready: true,
      login: 'API key',
    });
    writeFileSync(join(world.codexHome, 'auth.json'), '{"OPENAI_API_KEY":"sk-file"}', { mode: 0o600 });
    expect(await codexProvider.probe(world.options())).toMatchObject({ ready: true, login: 'API key' });
  });

  test('reports the fault of settings that Codex cannot read', async () => {
    const world = newWorld();
    writeConfig(world, 'model = [broken\n');
    expect(await codexProvider.probe(world.options())).toMatchObject({
      ready: false,
      code: 'options',
      message: expect.stringContaining(`Codex cannot read its settings in ${world.codexHome}`),
    });
  });
});

test('the doctor finds everything in order, or says what to do', async () => {
  const world = newWorld();
  expect(await doctorCodex(world.options())).toEqual([
    { name: 'program', state: 'ok', text: findCodex({ ...here, env: { PATH: codexBin } })?.file, hint: null },
    { name: 'version', state: 'ok', text: testedVersion, hint: null },
    { name: 'login', state: 'ok', text: 'key in SCRIPTED_KEY', hint: null },
    { name: 'sandbox', state: 'ok', text: 'starts', hint: null },
  ]);
  writeConfig(world, '');
  expect(await doctorCodex(world.options())).toEqual([
    {
      name: 'login',
      state: 'fails',
      text: 'Codex is not logged in.',
      hint: 'Run `codex login`, or set CODEX_API_KEY.',
    },
  ]);
});

describe('the login in requests', () => {
  test('a linked login file', async () => {
    const world = newWorld();
    writeConfig(world, `openai_base_url = "${upstream.url}"\n`);
    writeFileSync(join(world.codexHome, 'auth.json'), '{"OPENAI_API_KEY":"sk-file"}', { mode: 0o600 });
    await ask(await world.open(), 'collab asks: by file');
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-file');
  });

  test('a provider’s token and headers are passed in the environment, not in the arguments', async () => {
    const world = newWorld();
    writeConfig(
      world,
      `model = "gpt-5.5"\nmodel_provider = "my provider"\n[model_providers."my provider"]\nname = "mine"\nbase_url = "${upstream.url}"\nwire_api = "responses"\nexperimental_bearer_token = "token-secret"\nhttp_headers = { x-mine = "header-secret" }\nenv_http_headers = { x-team = "TEAM" }\n`,
    );
    const agent = await world.open({ env: { ...world.env, TEAM: 'blue' } });
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8', maxBuffer: 1 << 26 });
    await ask(agent, 'collab asks: by token');
    expect(upstream.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer token-secret',
      'x-mine': 'header-secret',
      'x-team': 'blue',
    });
    expect(running).toContain('COLLAB_CODEX_TOKEN');
    expect(running).not.toMatch(/token-secret|header-secret/);
  });
});

test("the model and the effort are the user's, unless the run names a model", async () => {
  const world = newWorld();
  const config = join(world.codexHome, 'config.toml');
  writeConfig(
    world,
    `model_reasoning_effort = "low"\n${execFileSync('cat', [config], { encoding: 'utf8' })}`,
  );
  await ask(await world.open(), 'collab asks: with my model');
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-5.5', reasoning: { effort: 'low' } });
  const other = await world.open({ model: 'gpt-5.6-sol' });
  await ask(other, 'collab asks: with another');
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-5.6-sol' });
  expect(other.identity.model).toBe('gpt-5.6-sol');
});

test('a state folder in a repository is refused before anything is started', async () => {
  const world = newWorld();
  const stateFolder = join(world.repository, '.collab/run');
  await expect(world.open({ stateFolder })).rejects.toMatchObject({ code: 'state_folder' });
  expect(existsSync(join(stateFolder, 'codex'))).toBe(false);
});

test('the sandbox works here, or the result says why not', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'collab-probe-')));
  mkdirSync(join(home, 'codex'));
  const options = {
    env: { PATH: '/usr/bin:/bin', HOME: home, CODEX_HOME: join(home, 'codex') },
    cwd: home,
    signal: new AbortController().signal,
  };
  const program = findCodex({ ...here, env: { PATH: codexBin } })?.file ?? '';
  expect(await probeSandbox({ ...options, program })).toEqual({ works: true });
  const confined = join(home, 'confined');
  writeFileSync(confined, `#!/bin/sh\n${withoutNamespaces} sh ${program} "$@"\n`, { mode: 0o755 });
  expect(await probeSandbox({ ...options, program: confined })).toEqual({
    works: false,
    reason: expect.stringContaining('bwrap: '),
  });
  rmSync(home, { recursive: true });
});

test('the first run leaves empty databases behind, and the next one starts with them', async () => {
  const world = newWorld();
  const first = await world.open();
  expect((await ask(first, 'the first one asks')).result).toMatchObject({ kind: 'answered' });
  await first.close();
  const state = join(world.root, 'state');
  const seeds = readdirSync(state).filter((name) => name.startsWith('codex-'));
  expect(seeds).toHaveLength(1);
  const seed = join(state, seeds[0] ?? '', 'codex');
  const sown = readdirSync(seed).filter((name) => /^state_\d+\.sqlite$/.test(name));
  expect(sown).toHaveLength(1);
  const bytes = readdirSync(seed)
    .filter((name) => name.includes('.sqlite'))
    .map((name) => readFileSync(join(seed, name), 'latin1'))
    .join('');
  expect(bytes).not.toContain('the first one asks');

  const second = await world.open();
  expect((await ask(second, 'the second one asks')).result).toMatchObject({ kind: 'answered' });
  await second.close();
  expect(readdirSync(state).filter((name) => name.startsWith('codex-'))).toEqual(seeds);
});
