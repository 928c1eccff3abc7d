import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { owner, type Speaker } from '../../access/speaker.ts';
import { systemClock } from '../../system/clock.ts';
import { agentsFor, keepFor, probeAgents, type ProbedAgent } from './probed-agents.ts';

const guest = (...grants: readonly string[]): Speaker => ({
  kind: 'guest',
  tenant: 'acme',
  grants,
  providers: ['static_review'],
  isServerOpen: false,
});

const state = (provider: string, ready = true): ProbedAgent => ({
  provider,
  roles: ['advisor', 'lead'],
  ready,
  detail: null,
  hint: null,
});

test('each provider that ships is ready, or has a reason and a hint; scripts are not listed', async () => {
  const cwd = scratchFolder();
  const env = { HOME: cwd, PATH: cwd, OPENAI_API_KEY: 'sk-test' };
  const states = await probeAgents({ env, cwd, settings: {}, signal: new AbortController().signal });
  const byName = new Map(states.map((one) => [one.provider, one]));
  expect([...byName.keys()]).toEqual([
    'anthropic',
    'openai',
    'gemini',
    'codex',
    'claude_code',
    'static_review',
  ]);
  expect(byName.get('static_review')).toMatchObject({ ready: true, hint: null, roles: ['advisor'] });
  expect(byName.get('openai')).toMatchObject({ ready: true, roles: ['lead', 'advisor'] });
  expect(byName.get('codex')).toMatchObject({
    ready: false,
    detail: expect.stringContaining('odex'),
    hint: expect.stringContaining('npm install'),
  });
});

test('the owner gets every agent; a guest those that the server chose or a grant names, in that role', () => {
  const states = [state('codex'), state('static_review'), state('openai', false)];
  expect(agentsFor(owner, states)).toEqual(states);
  expect(agentsFor(guest(), states).map(({ provider }) => provider)).toEqual(['static_review']);
  expect(agentsFor(guest('advisor:codex'), states)[0]).toEqual({ ...state('codex'), roles: ['advisor'] });
});

test('agents are looked for once for requests at the same time, again after the time, and after a failure', async () => {
  let now = 0;
  let looked = 0;
  let fails = false;
  const clock = { ...systemClock, now: () => now };
  const list = keepFor(1000, clock, async () => {
    looked += 1;
    if (fails) throw new Error('no');
    return [state(`look ${looked}`)];
  });
  const [one, other] = await Promise.all([list(), list()]);
  expect([one, other, looked]).toEqual([[state('look 1')], [state('look 1')], 1]);
  now = 999;
  expect(await list()).toEqual([state('look 1')]);
  now = 1000;
  fails = true;
  await expect(list()).rejects.toThrow('no');
  fails = false;
  expect(await list()).toEqual([state('look 3')]);
});
