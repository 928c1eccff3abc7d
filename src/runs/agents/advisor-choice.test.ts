import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { chooseAdvisor, noAdvisorNeeded, type AdvisorQuestion } from './advisor-choice.ts';

/** A question on a machine without any agent. */
function question(changes: Partial<AdvisorQuestion> = {}): AdvisorQuestion {
  return {
    advisor: 'auto',
    configured: null,
    allowStatic: false,
    continuousIntegration: false,
    environment: {
      env: { PATH: '/nowhere', HOME: '/nowhere' },
      cwd: '/nowhere',
      settings: {},
      signal: new AbortController().signal,
    },
    ...changes,
  };
}

describe('auto', () => {
  test('without Codex takes the provider of the configuration', async () => {
    expect(await chooseAdvisor(question({ configured: 'rehearsal:a.yaml' }))).toMatchObject({
      provider: 'rehearsal',
      model: 'a.yaml',
      chosenBy: 'auto',
      fallback: null,
    });
  });

  test('without any model takes static checks, and says why and what helps', async () => {
    const choice = await chooseAdvisor(question());
    expect(choice).toMatchObject({
      provider: 'static_review',
      model: null,
      assurance: 'static',
      chosenBy: 'auto',
      fallback: expect.stringMatching(/Codex.*npm install/s),
    });
    expect(await chooseAdvisor(question({ configured: 'gemini' }))).toEqual(choice);
  });

  test('in CI takes static checks only if they are allowed, and the refusal names the flag', async () => {
    expect(await refusalOf(chooseAdvisor(question({ continuousIntegration: true })))).toMatchObject({
      code: 'cli_missing',
      hint: expect.stringMatching(/npm install.*; or accept static checks: --allow-static$/s),
    });
    const allowed = question({ continuousIntegration: true, allowStatic: true });
    expect(await chooseAdvisor(allowed)).toMatchObject({ provider: 'static_review' });
  });

  test('for a question takes no static checks, whatever is allowed', async () => {
    const refusal = await refusalOf(chooseAdvisor(question({ staticDoes: false, allowStatic: true })));
    expect(refusal.code).toBe('cli_missing');
    expect(refusal.hint).not.toContain('--allow-static');
  });
});

describe('a named advisor', () => {
  test('is taken with its model', async () => {
    expect(
      await chooseAdvisor(question({ advisor: 'rehearsal:a.yaml', configured: 'gemini' })),
    ).toMatchObject({
      provider: 'rehearsal',
      model: 'a.yaml',
      chosenBy: 'asked',
      fallback: null,
    });
    expect(await chooseAdvisor(question({ advisor: 'static_review' }))).toMatchObject({
      assurance: 'static',
    });
  });

  test('that only knows rules is refused for a question', async () => {
    const refusal = refusalOf(chooseAdvisor(question({ advisor: 'static_review', staticDoes: false })));
    expect(await refusal).toEqual({
      code: 'usage',
      message: 'static_review only reviews changes; it answers no questions',
      hint: 'use --advisor codex',
    });
  });
});

test('a review without reviewable lines names the advisor that it would have asked, or none', () => {
  const nothing = { model: null, assurance: 'none', promptLimit: null, fallback: null };
  expect(noAdvisorNeeded('auto')).toEqual({ ...nothing, provider: 'none', chosenBy: 'auto' });
  expect(noAdvisorNeeded('codex:gpt')).toEqual({ ...nothing, provider: 'codex', chosenBy: 'asked' });
});
