/** The facts about the real Claude Code before a run: program, version, login. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCodeProvider } from '../../../src/providers/claude_code/claude_code_client.ts';
import { testedVersion } from '../../../src/providers/claude_code/package-of-claude.ts';
import { doctorClaude } from '../../../src/providers/claude_code/doctor.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startScriptedClaude, lead, sessionOf } from './claude-user.ts';

const { upstream, world } = await startScriptedClaude();

test('the native program is found although its install script never ran, and checks its login without a model', async () => {
  const before = [upstream.requests.length, upstream.others.length];
  const probe = await claudeCodeProvider.probe(world.options());
  expect(probe).toEqual({ ready: true, version: testedVersion, login: 'API key', model: null });
  const [program] = await doctorClaude(world.options());
  expect(program?.text).toMatch(new RegExp(`claude-code-${process.platform}-${process.arch}/claude`));
  expect([upstream.requests.length, upstream.others.length]).toEqual(before);
});

test('a key or a token in the environment is a login, as for Claude itself; without either there is none', async () => {
  const { ANTHROPIC_API_KEY: _, ...env } = world.env;
  const login = async (changes: Record<string, string>) =>
    claudeCodeProvider.probe(world.options({ env: { ...env, ...changes } }));
  expect(await login({ CLAUDE_CODE_OAUTH_TOKEN: 'token' })).toMatchObject({
    ready: true,
    login: 'Claude token',
  });
  expect(await login({})).toEqual({
    ready: false,
    code: 'auth',
    message: 'Claude Code is not logged in.',
    hint: 'Run `claude` and log in with /login, or set ANTHROPIC_API_KEY.',
  });
  // Used by Claude Code, but not by collab.
  expect(await login({ ANTHROPIC_AUTH_TOKEN: 'token' })).toMatchObject({ code: 'auth' });
});

test('a key that only the user’s settings would supply is not a login: our turns do not read them', async () => {
  const { ANTHROPIC_API_KEY: _, ...env } = world.env;
  const helper = world.place(
    'helper',
    `#!/bin/sh\ntouch ${join(world.root, 'helper-ran')}\necho sk-helper\n`,
    0o755,
  );
  world.place('other-home/.claude/settings.json', JSON.stringify({ apiKeyHelper: helper }));
  const options = world.options({ env: { ...env, HOME: join(world.root, 'other-home') } });
  expect(await claudeCodeProvider.probe(options)).toMatchObject({ ready: false, code: 'auth' });
  expect(readdirSync(world.root)).not.toContain('helper-ran');
});

test('a user’s own configuration folder has the sessions, and they are found there', async () => {
  const folder = join(world.root, 'config');
  mkdirSync(folder);
  const agent = await world.open({ env: { ...world.env, CLAUDE_CONFIG_DIR: folder } });
  upstream.play(messagesInOrder({ text: 'Yes.' }));
  const led = await lead(agent, 'Is it kept?', { callId: 'lead_a/1/1' });
  expect(readdirSync(join(folder, 'projects'))).toHaveLength(1);
  expect(await agent.harvest(sessionOf(led), 'lead_a/1')).toMatchObject({ kind: 'answered', text: 'Yes.' });
});

test('the receiver of the text is named by host', async () => {
  const own = await world.open();
  expect(own.identity).toMatchObject({
    displayName: 'Claude Code',
    login: 'API key',
    destination: new URL(upstream.url).host,
  });
  const usual = await world.open({ settings: {} });
  expect(usual.identity.destination).toBe('api.anthropic.com');
});
