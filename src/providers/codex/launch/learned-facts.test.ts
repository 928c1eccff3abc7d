import { expect, test } from 'vitest';
import type { ProviderEnvironment } from '../../contract/contract.ts';
import { leaveFacts, takeFacts, type LearnedFacts } from './learned-facts.ts';
import { noSettings } from './read-user-settings.ts';

const facts: LearnedFacts = {
  settings: noSettings,
  login: { label: 'API key', secrets: {} },
  version: '1.2.3',
};

function environment(changes: Partial<ProviderEnvironment> = {}): ProviderEnvironment {
  return { env: {}, cwd: '/here', settings: {}, signal: new AbortController().signal, ...changes };
}

test('learned facts are returned once', async () => {
  const here = environment();
  leaveFacts(here, Promise.resolve(facts), 'probe');
  expect(await takeFacts(here, ['warm_up', 'probe'])).toEqual(facts);
  expect(takeFacts(here, ['warm_up', 'probe'])).toBeNull();
});

test('a probe uses the facts of a warm-up, but not those of another probe', async () => {
  const here = environment();
  leaveFacts(here, Promise.resolve(facts), 'probe');
  expect(takeFacts(here, ['warm_up'])).toBeNull();
  leaveFacts(here, Promise.resolve(facts), 'warm_up');
  expect(await takeFacts(here, ['warm_up'])).toEqual(facts);
});

test.each([
  ['another environment', (here: ProviderEnvironment) => ({ ...here, env: { ...here.env } })],
  ['another folder', (here: ProviderEnvironment) => ({ ...here, cwd: '/there' })],
  ['another program', (here: ProviderEnvironment) => ({ ...here, settings: { 'codex.path': '/opt/codex' } })],
])('%s learns for itself', (_, elsewhere) => {
  const here = environment();
  leaveFacts(here, Promise.resolve(facts), 'probe');
  expect(takeFacts(elsewhere(here), ['warm_up', 'probe'])).toBeNull();
});

test('a failure is reported to the caller that takes the facts', async () => {
  const here = environment();
  leaveFacts(here, Promise.reject(new Error('not logged in')), 'warm_up');
  await expect(takeFacts(here, ['warm_up'])).rejects.toThrow('not logged in');
});

test.each([
  [9999, facts],
  [10_000, null],
])('after %i ms, the facts are %o', async (laterMs, expected) => {
  const here = environment();
  leaveFacts(here, Promise.resolve(facts), 'probe', 0);
  expect(await takeFacts(here, ['probe'], laterMs)).toEqual(expected);
});
