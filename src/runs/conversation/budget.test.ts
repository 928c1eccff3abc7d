import { expect, test } from 'vitest';
import type { EventBody, Usage } from '../../events/collab-event.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import type { Model } from '../../providers/contract/model.ts';
import { noLimits } from '../calls/budget.ts';
import { createConversationBudget, modelWithin } from './budget.ts';
import { identity } from './conversation.test-helper.ts';

const usage: Usage = {
  model: 'm',
  input: 6000,
  output: 1000,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cost: 0.5,
  cost_basis: 'reported',
};

test('each turn of a model is a call, and none is made when the budget is spent', async () => {
  const { model, made } = counted();
  const told: EventBody[] = [];
  const budget = createConversationBudget({ limits: { ...noLimits, tokens: 12_000 }, price: null, past: [] });
  const within = modelWithin(budget, model, (event) => told.push(event));
  expect((await within.turn(request)).end).toMatchObject({ kind: 'said' });
  expect(told).toEqual([{ type: 'budget', spent: 7000, left: 5000, unit: 'tokens' }]);
  expect((await within.turn(request)).end).toMatchObject({ kind: 'said' });
  expect((await within.turn(request)).end).toMatchObject({
    kind: 'unavailable',
    code: 'quota',
    message: expect.stringMatching(
      /the budget of 12,000 tokens is spent.*collab chat --resume --budget-tokens <n>/,
    ),
  });
  expect(made()).toBe(2);
});

test('an attached picture is reserved as a picture, not by its bytes', async () => {
  const budget = createConversationBudget({ limits: { ...noLimits, tokens: 12_000 }, price: null, past: [] });
  const photo = {
    type: 'media',
    kind: 'image',
    mime_type: 'image/jpeg',
    data: 'A'.repeat(1_000_000),
    name: 'photo.jpg',
  } as const;
  const { model, made } = counted();
  await modelWithin(budget, model, () => {}).turn({
    ...request,
    messages: [{ role: 'user', parts: [photo, { type: 'text', text: 'What is this?' }] }],
  });
  expect(made()).toBe(1);
});

test('the cost of earlier days counts', async () => {
  const { model, made } = counted();
  const past = [usage, usage].map((spent) => journalRecord({ type: 'usage', ...spent }));
  const limits = { ...noLimits, usd: 1 };
  const budget = createConversationBudget({ limits, price: null, past });
  const { end } = await modelWithin(budget, model, () => {}).turn(request);
  expect(end).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('--budget-usd') });
  expect(made()).toBe(0);
});

test('of earlier days, only calls count as calls', async () => {
  const { model, made } = counted();
  const past = [
    journalRecord({ type: 'turn.started' }),
    journalRecord({ type: 'usage', ...usage }),
    journalRecord({ type: 'turn.ended', stop_reason: 'end_turn', usage }),
  ];
  const budget = createConversationBudget({ limits: { ...noLimits, calls: 2 }, price: null, past });
  const within = modelWithin(budget, model, () => {});
  await within.turn(request);
  expect(made()).toBe(1);
  expect((await within.turn(request)).end).toMatchObject({ kind: 'unavailable' });
  expect(made()).toBe(1);
});

const request: Parameters<Model['turn']>[0] = {
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
  tools: [],
  toolChoice: 'auto',
  signal: new AbortController().signal,
  say: () => {},
};

function counted() {
  let turns = 0;
  const model: Model = {
    identity,
    async turn() {
      turns += 1;
      return { end: { kind: 'said', parts: [{ type: 'text', text: 'Hi.' }], stopReason: null }, usage };
    },
    close: async () => {},
  };
  return { model, made: () => turns };
}
