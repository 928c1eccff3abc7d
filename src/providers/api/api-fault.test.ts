import { expect, test } from 'vitest';
import { modelFailure } from './api-fault.ts';

function messageOf(message: string, status: number | undefined = 500): string {
  const fault = { status, type: null, message, headers: undefined, unreachable: false };
  return modelFailure('overloaded', fault, { provider: 'openai', vendor: 'OpenAI', now: 0 }).message;
}

test.each([
  '{}',
  '500 {}',
  '',
  '500 ',
  '[]',
  'null',
  '""',
  '{"error":{}}',
  '{"error":{"message":" "}}',
  '--',
])('the body %j of a failed request is told as a sentence', (body) => {
  expect(messageOf(body)).toBe('the API failed without an explanation (HTTP 500)');
});

test('without a status, the sentence names none', () => {
  expect(messageOf('{}', undefined)).toBe('the API failed without an explanation (HTTP 500)');
});

test.each(['busy', '500 status code (no body)', '{"error":{"message":"busy"}}', '混雑', '"busy"'])(
  'the words %j of a service are kept',
  (body) => {
    expect(messageOf(body)).toBe(body);
  },
);
