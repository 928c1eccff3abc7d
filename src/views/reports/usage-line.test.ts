import { expect, test } from 'vitest';
import { noTokens } from '../../events/tokens.ts';
import type { AgentUsage } from '../../review/outcome/usage.ts';
import { renderUsage } from './usage-line.ts';

function row(more: Partial<AgentUsage>): AgentUsage {
  const usage = { ...noTokens, input: 1000, cache_read: 9000, output: 50 };
  return {
    phase: 'review',
    agent: 'advisor',
    provider: 'p',
    model: null,
    calls: 1,
    usage,
    cost_usd: 0.004,
    ...more,
  };
}

test('the usage of a run is one line', () => {
  expect(renderUsage([row({})])).toBe('1 call: 10,000 tokens in (9,000 cached), 50 out; $0.0040');
  expect(renderUsage([row({}), row({ calls: 2, cost_usd: 1.5 })])).toBe(
    '3 calls: 20,000 tokens in (18,000 cached), 100 out; $1.50',
  );
});

test('an unknown price is called unknown', () => {
  expect(renderUsage([row({}), row({ cost_usd: null })])).toMatch(/; cost unknown$/);
});

test('without any reported usage nothing is claimed', () => {
  expect(renderUsage([])).toBeNull();
  expect(renderUsage([row({ usage: noTokens, cost_usd: null })])).toBeNull();
});
