import { expect, test } from 'vitest';
import { failureEvent, type FailedTurn } from './failure-event.ts';

const message = 'it failed';
const overloaded = { kind: 'overloaded', message, retryAfterMs: null } as const;

test.each<[FailedTurn, object]>([
  [overloaded, { kind: 'overloaded', retryable: true }],
  [
    { ...overloaded, retryAfterMs: 1500 },
    { kind: 'overloaded', retryable: true, retry_after_ms: 1500 },
  ],
  [
    { ...overloaded, rateLimited: true },
    { kind: 'rate_limit', retryable: true },
  ],
  [
    { ...overloaded, rateLimited: false },
    { kind: 'overloaded', retryable: true },
  ],
  [
    { ...overloaded, unreachable: true },
    { kind: 'network', retryable: true },
  ],
  [
    { kind: 'unavailable', code: 'quota', message, hint: '' },
    { kind: 'rate_limit', retryable: false },
  ],
  [
    { kind: 'timed_out', limit: 'context', message },
    { kind: 'context_limit', retryable: true },
  ],
  [
    { kind: 'timed_out', limit: 'idle', message },
    { kind: 'timeout', retryable: true },
  ],
  [
    { kind: 'cut', message },
    { kind: 'network', retryable: true },
  ],
])('%j is the error %j', (end, event) => {
  expect(failureEvent(end)).toEqual({ type: 'error', message, ...event });
});
