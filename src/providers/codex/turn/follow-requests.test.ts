import { expect, test } from 'vitest';
import { createRequestFollower } from './follow-requests.ts';
import { readNotification, type WireNotification } from './wire.ts';

const threadId = 'thread-1';

function read(method: string, params: object): WireNotification {
  const notification = readNotification(method, { threadId, ...params });
  if (notification === null) throw new Error(`not understood: ${method}`);
  return notification;
}

const started = read('turn/started', {});
const ended = read('thread/tokenUsage/updated', {
  tokenUsage: { last: { inputTokens: 1, outputTokens: 1 } },
});
const item = (when: 'started' | 'completed', type: string, id: string) =>
  read(`item/${when}`, { item: { type, id, command: 'ls', text: '' } });
const word = read('item/agentMessage/delta', { itemId: 'm', delta: 'word' });
const output = read('item/commandExecution/outputDelta', { itemId: 'c1', delta: 'out' });

/** The calls of the watch, in order. */
function follow(...notifications: readonly WireNotification[]): readonly string[] {
  const told: string[] = [];
  const hear = createRequestFollower({
    begun: () => told.push('begun'),
    requested: () => told.push('requested'),
    heardModel: () => told.push('model'),
  });
  for (const notification of notifications) hear(notification);
  return told;
}

test('the echoed prompt is not a sign of the model', () => {
  expect(follow(started, item('started', 'userMessage', 'u'), item('completed', 'userMessage', 'u'))).toEqual(
    ['begun'],
  );
});

test('reasoning and text are signs; the end of an answer without a tool starts the next request', () => {
  expect(follow(started, item('started', 'reasoning', 'r'), word, ended)).toEqual([
    'begun',
    'model',
    'model',
    'model',
    'requested',
  ]);
});

test('while a tool runs no request is open, and its output is not a sign of the model', () => {
  const command = item('started', 'commandExecution', 'c1');
  expect(follow(started, command, ended, output)).toEqual(['begun', 'model', 'model']);
  expect(follow(started, command, ended, output, item('completed', 'commandExecution', 'c1')).at(-1)).toBe(
    'requested',
  );
});

test('a tool that ends before its answer starts no request yet', () => {
  const fast = [item('started', 'commandExecution', 'c1'), item('completed', 'commandExecution', 'c1')];
  expect(follow(started, ...fast)).toEqual(['begun', 'model']);
  expect(follow(started, ...fast, ended).at(-1)).toBe('requested');
});

test('with two tools the last one counts', () => {
  const [first, second] = ['c1', 'c2'].map((id) => item('started', 'commandExecution', id));
  const told = follow(started, ...[first, second].flatMap((one) => one ?? []), ended);
  expect(told.at(-1)).toBe('model');
  const both = [
    started,
    item('started', 'commandExecution', 'c1'),
    item('started', 'commandExecution', 'c2'),
    ended,
    item('completed', 'commandExecution', 'c1'),
  ];
  expect(follow(...both).at(-1)).toBe('model');
  expect(follow(...both, item('completed', 'commandExecution', 'c2')).at(-1)).toBe('requested');
});

test('a resumed conversation reports its past usage before the turn starts', () => {
  expect(follow(ended, started)).toEqual(['begun']);
});
