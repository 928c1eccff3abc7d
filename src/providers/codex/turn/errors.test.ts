import { expect, test } from 'vitest';
import { classifyError, hintFor, isAboutWebSocket, messageOf } from './errors.ts';

const wire = (codexErrorInfo: unknown, message = 'said') => ({
  message,
  codexErrorInfo,
  additionalDetails: null,
});
const failed = (httpStatusCode: number | null) => ({ httpConnectionFailed: { httpStatusCode } });
const unavailable = (code: string) => ({ kind: 'unavailable', code });
const overloaded = { kind: 'overloaded', retryAfterMs: null };
const unreachable = { ...overloaded, unreachable: true };

// test/agents/codex/failures.test.ts measures the real binary's output in each case.
test.each([
  [wire(failed(401)), unavailable('auth')],
  [wire(failed(403)), unavailable('auth')],
  [wire(failed(402)), unavailable('quota')],
  [wire(failed(400)), unavailable('options')],
  [wire(failed(413)), { kind: 'context' }],
  [wire(failed(408)), overloaded],
  [wire({ responseTooManyFailedAttempts: { httpStatusCode: 429 } }), overloaded],
  [wire(failed(499)), unavailable('options')],
  [wire(failed(500)), overloaded],
  [wire(failed(503)), overloaded],
  [wire(failed(302)), overloaded],
  [wire(failed(null), 'Connection failed: error sending request'), unreachable],
  [wire({ responseStreamConnectionFailed: { httpStatusCode: null } }), overloaded],
  [wire({ responseStreamDisconnected: { httpStatusCode: null } }), { kind: 'cut' }],
  [
    wire(
      { responseStreamDisconnected: { httpStatusCode: null } },
      'stream disconnected before completion: Connection refused (os error 111)',
    ),
    unreachable,
  ],
  [wire('other', 'stream disconnected before completion: eof'), { kind: 'cut' }],
  [wire('other', 'stream disconnected before completion: idle timeout waiting for SSE'), { kind: 'silent' }],
  [
    wire(
      'other',
      'stream disconnected before completion: Incomplete response returned, reason: content_filter',
    ),
    { kind: 'refused' },
  ],
  [wire('other', 'Incomplete response returned, reason: max_output_tokens'), { kind: 'truncated' }],
  [wire('other', 'Missing environment variable: `KEY`.'), unavailable('auth')],
  [wire('other', '{"error":{"message":"bad"}}'), unavailable('options')],
  [wire('contextWindowExceeded'), { kind: 'context' }],
  [wire('usageLimitExceeded'), unavailable('quota')],
  [wire('sessionBudgetExceeded'), unavailable('quota')],
  [wire('modelNotFound'), unavailable('model')],
  [wire('unauthorized'), unavailable('auth')],
  [wire('other', 'Input exceeds the maximum length of 1048576'), { kind: 'context' }],
  [wire('serverOverloaded'), overloaded],
  [wire('flexUnavailable'), overloaded],
  [wire('policyCapacityUnavailable'), overloaded],
  [wire('misalignmentPolicyViolation'), { kind: 'refused' }],
  [wire('inferenceHookDenied'), { kind: 'refused' }],
  [wire('internalServerError'), overloaded],
  [
    wire('rateLimitExceeded', 'rate limit exceeded: try again in 1.5s'),
    { kind: 'overloaded', retryAfterMs: 1500 },
  ],
  [wire('cyberPolicy'), { kind: 'refused' }],
  [wire({ somethingNew: {} }), unavailable('options')],
  [wire(null), unavailable('options')],
])('%o is classified', (error, failure) => {
  expect(classifyError(error)).toEqual(failure);
});

test('a retry notice has its reason in the details', () => {
  const notice = {
    message: 'Reconnecting... 1/5',
    codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 401 } },
    additionalDetails: 'unexpected status 401 Unauthorized',
  };
  expect([messageOf(notice), classifyError(notice)]).toEqual([
    'unexpected status 401 Unauthorized',
    unavailable('auth'),
  ]);
  expect(isAboutWebSocket(notice)).toBe(false);
  expect(
    isAboutWebSocket({ ...notice, additionalDetails: 'stream disconnected: WebSocket protocol error' }),
  ).toBe(true);
});

test('every code has its own hint', () => {
  const codes = ['cli_missing', 'auth', 'quota', 'model', 'options', 'died', 'internal'] as const;
  expect(new Set(codes.map(hintFor)).size).toBe(codes.length);
});
