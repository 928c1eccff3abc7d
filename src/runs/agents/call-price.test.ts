import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { expectedPrice, priceOfCalls } from './call-price.ts';

const environment = {
  env: { PATH: '/nowhere', HOME: '/nowhere' },
  cwd: '/nowhere',
  settings: {},
  signal: new AbortController().signal,
};
const agent = (provider: string, model: string | null = null) => ({ provider, model });
/** One has the dearer input, the other the dearer output. */
const [older, newer] = [agent('openai', 'gpt-4.1'), agent('openai', 'gpt-5')];
const unpaid = [agent('caller'), agent('user')];

const priceOf = async (...agents: Parameters<typeof expectedPrice>[0]) => expectedPrice(agents, environment);

test('the dearest of two agents is expected, in whichever order, and people cost nothing', async () => {
  const [one, other] = [await priceOf(older), await priceOf(newer)];
  if (one === null || other === null) throw new Error('a profile has no price');
  const dearest = { input: Math.max(one.input, other.input), output: Math.max(one.output, other.output) };
  for (const single of [one, other]) expect(single).not.toEqual(dearest);
  expect(await priceOf(older, newer)).toEqual(dearest);
  expect(await priceOf(newer, ...unpaid, older)).toEqual(dearest);
  expect(await priceOfCalls(2, [newer, ...unpaid, older], environment)).toEqual(dearest);
  expect(await priceOf(...unpaid)).toBeNull();
});

test('no price is expected if one agent has none before its call', async () => {
  expect(await priceOf(older, agent('static_review'))).toBeNull();
  expect(await priceOfCalls(null, [agent('nothing')], environment)).toBeNull();
});

test('a budget in dollars needs an agent that reports its price', async () => {
  expect(await refusalOf(priceOfCalls(2, [older, agent('static_review')], environment))).toMatchObject({
    code: 'usage',
    message: 'static_review reports no price of its calls, so $2 cannot be enforced',
    hint: expect.stringContaining('--budget-tokens'),
  });
});
